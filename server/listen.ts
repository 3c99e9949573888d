// The door: Bun's HTTP and WebSocket server, and nothing of it anywhere else.
import { notFound, Refusal } from "../protocol/errors.ts";
import { silenceLimitS } from "../protocol/frames.ts";
import { limits } from "../protocol/limits.ts";
import { refusalAnswer } from "./answer.ts";
import { CannotStart } from "./database/database.ts";
import type { Gateway } from "./gateway/gateway.ts";
import { Socket } from "./gateway/socket.ts";
import type { House } from "./house.ts";
import { apiPrefix } from "./http.ts";
import { isTrustedOrigin } from "./origin.ts";
import { newId } from "./tokens.ts";
import { sessionCookies } from "./who.ts";

export interface Door {
  /** Stops accepting, waits for what runs (at most `finishMs`), then closes the rest. */
  close(finishMs: number): Promise<void>;
}

const slowSocketBytes = 1024 * 1024;
const gatewayPaths = new Set(["/ws", `${apiPrefix}/ws`]);

export function listen(
  house: House,
  gateway: Gateway,
  fetch: (request: Request, socketAddress: string) => Promise<Response>,
): Door {
  const { config } = house;
  try {
    const server = Bun.serve<Socket>({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      // A request that stands still this long is given up, header or body.
      idleTimeout: 30,
      maxRequestBodySize: 32 * 1024 * 1024,
      development: false,
      fetch(request, server) {
        if (gatewayPaths.has(new URL(request.url).pathname)) return upgrade(house, request, server);
        return fetch(request, server.requestIP(request)?.address ?? "");
      },
      error: () => refusalAnswer(new Refusal("internal", "Something went wrong on our side."), newId()),
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
        drain: (ws) => gateway.drained(ws.data),
        close: (ws) => gateway.closed(ws.data),
      },
    });
    gateway.publishThrough({
      publish: (topic, frame) => void server.publish(topic, frame),
      count: (topic) => server.subscriberCount(topic),
    });
    house.listeningUrl = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server.port}`;
    house.publicUrl = config.publicUrl ?? house.listeningUrl;
    return {
      async close(finishMs) {
        await Promise.race([server.stop(), Bun.sleep(finishMs)]);
        await server.stop(true);
      },
    };
  } catch (error) {
    throw new CannotStart(
      `Hearth cannot listen on ${config.host}:${config.port} (HOST, PORT): ${(error as Error).message.replace(/[.?!]+$/, "")}.`,
    );
  }
}

type Upgrader = { upgrade(request: Request, options: { data: Socket }): boolean };

function upgrade(house: House, request: Request, server: Upgrader): Response | undefined {
  const requestId = newId();
  if (!isTrustedOrigin(house, request.headers)) {
    return refusalAnswer(
      new Refusal("untrusted_origin", "Sockets from this origin are not accepted."),
      requestId,
    );
  }
  const cookies = sessionCookies(request.headers.get("cookie"));
  const socket = new Socket(cookies.length === 1 ? cookies[0] : undefined);
  if (server.upgrade(request, { data: socket })) return undefined;
  return refusalAnswer(notFound(), requestId);
}
