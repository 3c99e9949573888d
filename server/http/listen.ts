// The listening server: Bun's HTTP and WebSocket server, whose names stay in this file.
import { lookup } from "node:dns/promises";
import { Refusal } from "../../protocol/errors.ts";
import { silenceLimitS } from "../../protocol/frames.ts";
import { limits } from "../../protocol/limits.ts";
import { openableUrl, urlAt } from "../caller/addresses.ts";
import { CannotStart } from "../cannot-start.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Socket } from "../gateway/socket.ts";
import type { House } from "../house/house.ts";
import { newId } from "../tokens.ts";
import { refusalAnswer, strictTransport } from "./answer.ts";
import type { Answerer } from "./http.ts";

export interface HttpServer {
  /** Stops accepting, waits for running requests (at most `finishMs`), then closes all connections. */
  close(finishMs: number): Promise<void>;
}

const slowSocketBytes = 1024 * 1024;
const sorry = "Something went wrong on our side.";

/** Throws CannotStart when HOST is a name that does not resolve: Bun's own error for it can be misleading. */
export async function checkHost(host: string): Promise<void> {
  try {
    await lookup(host);
  } catch {
    throw new CannotStart(`Hearth cannot listen on ${host} (HOST): no address is known by this name.`);
  }
}

export function listen(house: House, gateway: Gateway, answer: Answerer): HttpServer {
  const { config } = house;
  try {
    const server = Bun.serve<Socket>({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      // Seconds without a byte after which a request is aborted, in its header or in its body.
      idleTimeout: 30,
      // Unlimited here: body.ts limits bodies, so that a refusal has our error body.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: (request, server) =>
        answer({
          request,
          socketAddress: () => server.requestIP(request)?.address ?? "",
          accept: (socket) => server.upgrade(request, { data: socket }),
        }),
      error: (error) => {
        const id = newId();
        house.log.error({ request_id: id, err: error }, "a request failed before it was one");
        return refusalAnswer(new Refusal("internal", sorry), id, strictTransport(config));
      },
      websocket: {
        data: {} as Socket,
        idleTimeout: silenceLimitS,
        sendPings: true,
        perMessageDeflate: false,
        maxPayloadLength: limits.frame_bytes_max,
        backpressureLimit: slowSocketBytes,
        closeOnBackpressureLimit: true,
        open: (ws) => gateway.opened(ws.data, ws),
        message: (ws, message) => gateway.received(ws.data, message),
        ping: (ws) => gateway.gaveSign(ws.data),
        pong: (ws) => gateway.gaveSign(ws.data),
        drain: (ws) => gateway.drained(ws.data),
        close: (ws) => gateway.closed(ws.data),
      },
    });
    gateway.publishThrough({
      publish: (topic, frame) => void server.publish(topic, frame),
      count: (topic) => server.subscriberCount(topic),
    });
    house.listeningUrl = urlAt(config.host, server.port ?? config.port);
    house.publicUrl = config.publicUrl ?? openableUrl(house.listeningUrl);
    return {
      async close(finishMs) {
        await Promise.race([server.stop(), Bun.sleep(finishMs)]);
        await server.stop(true);
      },
    };
  } catch (error) {
    throw new CannotStart(
      `Hearth cannot listen on ${config.host}:${config.port} (HOST, PORT): ${causeOf(error as Error & { code?: string })}.`,
    );
  }
}

function causeOf({ code, message }: Error & { code?: string }): string {
  if (code === "EADDRNOTAVAIL") return "this machine has no such address";
  if (code === "EADDRINUSE") return "another program listens there";
  return message.replace(/(?<![.?!])[.?!]+$/, "");
}
