// Kept-alive connections: reused while they are free, never with the rest of the previous answer.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { until } from "../../tests/house/machine/waiting.ts";
import { askByHttp, textOf } from "../ask-by-http.ts";
import { KeptConnections } from "./kept-connections.ts";
import { certifiedOf, hostOf, portOf } from "./request-head.ts";

let connections: Socket[] = [];
/** The bodies of requests. */
let heard: string[] = [];
let answer = (socket: Socket, _body: string): unknown => socket.write(saying("well"));

const saying = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

const server = createServer((socket) => {
  connections.push(socket);
  let said = "";
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    said += bytes.toString("latin1");
    const [head = "", body] = said.split("\r\n\r\n");
    if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
    said = "";
    heard.push(body);
    answer(socket, body);
  });
});
await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
afterAll(() => {
  for (const each of connections) each.destroy();
  server.close();
});

let kept: KeptConnections;
beforeEach(() => {
  kept = new KeptConnections();
  connections = [];
  heard = [];
  answer = (socket) => socket.write(saying("well"));
});

async function ask(more: Partial<Parameters<typeof askByHttp>[1]> = {}): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return textOf(await askByHttp(url, { withinMs: 60_000, bodyMax: 100, kept, ...more }));
}

test("requests one after the other take one connection, those at once one each, and then one of these", async () => {
  for (let time = 0; time < 3; time++) expect(await ask()).toBe("well");
  expect(connections).toHaveLength(1);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["well", "well", "well"]);
  expect(connections).toHaveLength(3);
  for (let time = 0; time < 3; time++) expect(await ask()).toBe("well");
  expect(connections).toHaveLength(3);
});

test("a long body goes piece by piece, and the connection is used again", async () => {
  const body = new Blob(["x".repeat(3_000_000), "end"]);
  for (let time = 0; time < 2; time++) expect(await ask({ method: "PUT", body })).toBe("well");
  expect(heard.map((each) => [each.length, each.endsWith("xend")])).toEqual([
    [3_000_003, true],
    [3_000_003, true],
  ]);
  expect(connections).toHaveLength(1);
});

/** Sends a body of 30 MB to a host that answers the head of the request with `say`. */
async function send(say: (socket: Socket) => void): Promise<[number, string]> {
  const port = (server.address() as { port: number }).port;
  server.once("connection", (socket) => {
    socket.removeAllListeners("data");
    socket.once("data", () => say(socket));
  });
  const body = new Blob(["x".repeat(30_000_000)]);
  const all = { method: "PUT", body, withinMs: 60_000, bodyMax: 100, kept };
  const { status, ...answered } = await askByHttp(`http://127.0.0.1:${port}/`, all);
  return [status, textOf({ status, ...answered })];
}

const refusal = "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno";

test("an answer before the end of a body is the answer, and ends the connection", async () => {
  const refused = await send((socket) => {
    socket.pause();
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${refusal}`);
  });
  expect(refused).toEqual([403, "no"]);
  expect(await ask()).toBe("well");
  expect(connections).toHaveLength(2);
});

test("a host that refuses a long body by its head, and closes, is heard, and gets none of it", async () => {
  await until(async () => {
    let bytes = 0;
    const begun = performance.now();
    kept = new KeptConnections();
    const refused = await send((socket) => {
      socket.on("data", (more) => (bytes += more.length));
      setTimeout(() => socket.end(refusal), 100);
    });
    // If the machine stalls for a second, the host was silent for too long.
    const isInTime = performance.now() - begun < 900;
    if (isInTime) expect([refused, bytes]).toEqual([[403, "no"], 0]);
    return isInTime;
  }, "this machine always stands still");
});

test("a host that says no word before a long body gets it after a moment, and the next one at once", async () => {
  const begun = performance.now();
  const heads: string[] = [];
  answer = (socket) => socket.write(saying("well"));
  const body = new Blob(["x".repeat(100_000)]);
  server.on("connection", note);
  for (let time = 0; time < 2; time++) expect(await ask({ method: "PUT", body })).toBe("well");
  server.off("connection", note);
  expect(heads.map((head) => /expect: 100-continue/i.test(head))).toEqual([true, false]);
  expect(heard.map(({ length }) => length)).toEqual([100_000, 100_000]);
  expect(performance.now() - begun).toBeGreaterThan(900);

  function note(socket: Socket) {
    socket.on("data", (bytes) => {
      if (bytes.toString("latin1").startsWith("PUT ")) heads.push(bytes.toString("latin1"));
    });
  }
});

test("a host that knows no such word is sent the body without waiting", async () => {
  answer = (socket) => socket.write(saying("well"));
  server.once("connection", (socket) => {
    const [take] = socket.listeners("data") as ((bytes: Buffer) => void)[];
    socket.removeAllListeners("data");
    socket.once("data", () => {
      socket.on("data", take!);
      socket.write("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n");
    });
  });
  expect(await ask({ method: "PUT", body: new Blob(["x".repeat(100_000)]) })).toBe("well");
  expect(heard.map(({ length }) => length)).toEqual([100_000]);
});

test("after a request that failed none of the connections that were free is used", async () => {
  await Promise.all([ask(), ask(), ask()]);
  answer = (socket) => socket.destroy();
  await expect(ask()).rejects.toThrow();
  answer = (socket) => socket.write(saying("well"));
  expect(await ask()).toBe("well");
  expect(connections).toHaveLength(4);
});

test("what comes after an answer is no answer to the next request", async () => {
  answer = (socket) => socket.write(saying("well") + saying("foreign"));
  expect(await ask()).toBe("well");
  answer = (socket) => {
    socket.write(saying("well"));
    setTimeout(() => socket.write(saying("foreign")), 10);
  };
  expect(await ask()).toBe("well");
  await until(() => connections.every(({ destroyed }) => destroyed), "a connection is still open");
  answer = (socket) => socket.write(saying("mine"));
  expect(await ask()).toBe("mine");
  expect(connections).toHaveLength(3);
});

test("a body of which not all was read is no answer to the next request", async () => {
  answer = (socket) => socket.write(saying("HTTP/1.1 200 OK\r\n\r\n"));
  expect(await ask({ mostBody: () => ({ first: 4 }) })).toBe("HTTP");
  answer = (socket) => socket.write(saying("mine"));
  expect(await ask()).toBe("mine");
});

test("a connection that the host ends while it is free is not used", async () => {
  await ask();
  connections[0]?.end();
  await until(() => connections[0]?.destroyed === true, "the connection is still open");
  expect(await ask()).toBe("well");
  expect(connections).toHaveLength(2);
});

test("bytes are counted for each answer anew", async () => {
  answer = (socket) => socket.write(saying("x".repeat(50_000)));
  for (let time = 0; time < 20; time++) expect(await ask({ bodyMax: 50_000 })).toHaveLength(50_000);
  expect(connections).toHaveLength(1);
});

test("a request that runs out of time gives its place back, and closes its connection", async () => {
  answer = () => {};
  const all = Array.from({ length: 300 }, () => ask({ withinMs: 500 }).catch((error) => error.name));
  expect(new Set(await Promise.all(all))).toEqual(new Set(["Late"]));
  await until(() => connections.every(({ destroyed }) => destroyed), "a connection is still open");
  answer = (socket) => socket.write(saying("well"));
  expect(await ask()).toBe("well");
});

test("a header that would begin another one, or another request, is not sent", async () => {
  for (const value of ["a\r\nX-Other: b", "a\nb", "a\0", "é"])
    await expect(ask({ headers: { "X-Name": value } })).rejects.toThrow("control characters");
  expect(heard).toEqual([]);
  expect(await ask({ headers: { "X-Name": "a b\tc" } })).toBe("well");
});

test("a host is reached at the port that its address names or means, and certified where that says https", () => {
  const routeOf = (address: string) => {
    const url = new URL(address);
    return [hostOf(url), portOf(url), certifiedOf(url)];
  };
  expect(routeOf("https://media.example/x")).toEqual(["media.example", 443, "media.example"]);
  expect(routeOf("http://media.example")).toEqual(["media.example", 80, undefined]);
  expect(routeOf("https://[2001:db8::1]:8443")).toEqual(["2001:db8::1", 8443, "2001:db8::1"]);
});
