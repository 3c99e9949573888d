// Upgrades a request to a gateway socket: trusted origins only; only the session cookie of the request is kept.
import { Refusal } from "../../protocol/errors.ts";
import { sessionCookies } from "../caller/authentication.ts";
import { isTrustedOrigin } from "../caller/origin.ts";
import { Socket } from "../gateway/socket.ts";
import type { House } from "../house/house.ts";
import { refusalAnswer } from "./answer.ts";
import type { Accept, Facts } from "./arrival.ts";

const longestCookie = 64;

/** Returns undefined when the connection has become a socket. */
export function upgrade(
  house: House,
  request: Request,
  accept: Accept,
  { requestId, clientIp }: Facts,
): Response | undefined {
  if (!isTrustedOrigin(house, request.headers)) {
    const refusal = new Refusal("untrusted_origin", "Sockets from this origin are not accepted.");
    return refusalAnswer(refusal, requestId);
  }
  if (request.method !== "GET") {
    const refusal = new Refusal("method_not_allowed", "This address answers GET.", { allow: "GET" });
    return refusalAnswer(refusal, requestId);
  }
  const cookies = sessionCookies(request.headers.get("cookie"));
  // A cookie too long to be a token is cut, so that the socket does not hold it until its first frame; it stays
  // invalid.
  const cookie = cookies.length === 1 ? cookies[0]?.slice(0, longestCookie) : undefined;
  const socket = new Socket(cookie, clientIp());
  if (isHandshake(request) && accept(socket)) return undefined;
  const refusal = new Refusal("invalid_request", "This address takes WebSocket connections (version 13).");
  return refusalAnswer(refusal, requestId, { "Sec-WebSocket-Version": "13" });
}

function isHandshake({ headers }: Request): boolean {
  return (
    headers.get("upgrade")?.toLowerCase() === "websocket" && headers.get("sec-websocket-version") === "13"
  );
}
