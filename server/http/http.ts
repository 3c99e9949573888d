// The entry point of every request: to the gateway or to its route, with one log line and one measurement each.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { type ClientIp, rateKey } from "../caller/client-ip.ts";
import type { House } from "../house/house.ts";
import { newId } from "../tokens.ts";
import { TurnShare } from "../turn-share.ts";
import { refusalAnswer, strictTransport } from "./answer.ts";
import type { Arrival, Facts } from "./arrival.ts";
import { openRoutes } from "./routes.ts";
import { upgrade } from "./upgrade.ts";

/** Returns the answer to a request, or undefined when the connection has become a socket. */
export type Answerer = (arrival: Arrival) => Promise<Response | undefined>;

/**
 * A connection may send thousands of requests at once without waiting for answers (pipelining), and the runtime would
 * begin all of them before any other connection has its turn. It closes a connection that sends more while an answer is
 * pending, so of such a burst only the requests that begin in the turn in which they arrive are answered. With cheap
 * requests, refusals above all, this many take some milliseconds.
 */
const requestsPerTurn = 100;
/** When thousands reconnect at once, requests must not wait behind their upgrades. Each costs more than a refusal. */
const upgradesPerTurn = 20;

const gatewayPaths = new Set(["/ws", `${apiPrefix}/ws`]);

/** The whole HTTP side as one function, which needs no port. */
export function openHttp(house: House, clientIp: ClientIp): Answerer {
  const answerByRoute = openRoutes(house);
  const shares = { requests: new TurnShare(requestsPerTurn), upgrades: new TurnShare(upgradesPerTurn) };
  const transport = Object.entries(strictTransport(house.config));

  function answer(arrival: Arrival, facts: Facts): Response | undefined | Promise<Response | undefined> {
    let { request } = arrival;
    // Without a Host header (HTTP/1.0) the request's URL is only a path.
    if (request.url.startsWith("/")) request = new Request(`${house.listeningUrl}${request.url}`, request);
    const isHead = request.method === "HEAD";
    if (!namesHost(request.url) || namesHosts(request.headers) || (isHead && !URL.canParse(request.url))) {
      return refusalAnswer(new Refusal("invalid_request", "The Host header names no host."), facts.requestId);
    }
    const path = pathOf(request.url);
    if (gatewayPaths.has(path)) {
      facts.operation = "gateway";
      return upgrade(house, request, arrival.accept, facts);
    }
    // HEAD is GET without the body, which the runtime leaves out.
    return answerByRoute(isHead ? new Request(request, { method: "GET" }) : request, path, facts);
  }

  return async (arrival) => {
    const started = performance.now();
    const { request } = arrival;
    let ip: string | undefined;
    const facts: Facts = {
      requestId: newId(),
      clientIp() {
        ip ??= clientIp(arrival.socketAddress(), request.headers.get("x-forwarded-for"));
        return ip;
      },
      operation: "none",
    };
    const share = gatewayPaths.has(pathOf(request.url)) ? shares.upgrades : shares.requests;
    const isGone = () => request.signal.aborted;
    const turn = share.wait(() => rateKey(facts.clientIp()), isGone);
    if (turn) {
      await turn;
      // The client has gone: the answer would have no reader.
      if (isGone()) return undefined;
    }
    const response = await answer(arrival, facts);
    for (const [name, value] of transport) response?.headers.set(name, value);
    if (response && isBodyLeft(request, response.status)) response.headers.set("Connection", "close");
    const status = response?.status ?? 101;
    const ms = performance.now() - started;
    house.metrics.answered(facts.operation, status, ms);
    // The client's address behind proxies is computed only for refused calls; otherwise the socket's is enough.
    const address = status >= 400 ? facts.clientIp() : ip;
    house.logRequest(facts.requestId, request.method, pathOf(request.url), status, ms, address);
    return response;
  };
}

/** More than any accepted body: the largest upload, and its form. */
const leftBytesMax = limits.upload_bytes_max + 1024 * 1024;

/**
 * True if a large part of an unread body may still arrive. Bun would read it to the end, so the connection is closed.
 * After a shorter body it is kept: closing it would hide the refusal from a client that is still sending.
 */
function isBodyLeft({ headers, bodyUsed }: Request, status: number): boolean {
  if (bodyUsed && status < 400) return false;
  const declared = headers.get("content-length");
  return declared === null ? headers.has("transfer-encoding") : Number(declared) > leftBytesMax;
}

/** The path without the query, which may hold secrets. */
function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}

/** The runtime joins two Host headers with a comma: a proxy in between may have used either. */
function namesHosts(headers: Headers): boolean {
  return headers.get("host")?.includes(",") ?? false;
}

/** True if a URL made from the Host header still parses as that host. */
function namesHost(url: string): boolean {
  const [plain, port = "0"] = /^http:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?\//.exec(url) ?? [];
  return plain !== undefined && Number(port) <= 65_535;
}
