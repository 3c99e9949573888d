// Sends one raw HTTP request: no library corrects it, follows a redirect or waits for a body.
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Map<string, string>;
  /** The address of this machine on the connection. */
  localAddress: string;
}

const longestHead = 64 * 1024;

/**
 * Sends the head of a request and reads the head of the response, but no bodies. Undefined when no response comes
 * within `patienceMs`: then the other side waits for the body. Throws when there is no connection.
 */
export function askRaw(
  url: URL,
  method: string,
  headers: Record<string, string>,
  { patienceMs, from }: { patienceMs: number; from?: string | undefined },
): Promise<RawAnswer | undefined> {
  const lines = Object.entries({ Host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `${method} ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return new Promise((done, failed) => {
    const socket = open(url, from, () => socket.write(head));
    let heard = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      heard += chunk;
      if (!heard.includes("\r\n\r\n") && heard.length < longestHead) return;
      done(read(heard, socket));
      socket.destroy();
    });
    socket.on("error", failed);
    socket.on("close", () => failed(new Error("the connection was closed without an answer")));
    const timer = setTimeout(() => {
      done(undefined);
      socket.destroy();
    }, patienceMs);
    socket.on("close", () => clearTimeout(timer));
  });
}

function open(url: URL, from: string | undefined, opened: () => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isTls = url.protocol === "https:";
  const where = {
    host,
    port: Number(url.port) || (isTls ? 443 : 80),
    ...(from && { localAddress: from, family: 4 }),
  };
  if (!isTls) return connectPlain(where, opened);
  return connectTls({ ...where, servername: host, ALPNProtocols: ["http/1.1"] }, opened);
}

function read(heard: string, { localAddress = "" }: Socket): RawAnswer {
  const [first = "", ...lines] = (heard.split("\r\n\r\n", 1)[0] ?? "").split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(" ")[1]), headers: new Map(headers), localAddress };
}
