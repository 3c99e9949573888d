// Requests to hosts that people name: each goes to an address that was checked, and to no other.
import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP } from "node:net";
import { hostOf, portOf, publicAddresses } from "./addresses.ts";
import type { Network } from "./network.ts";

export interface OutboundRequest {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string | number>;
  body?: Buffer;
  /** Ends all of it: the look-up, the connection, and the body of the answer. */
  signal: AbortSignal;
}

/** Of a host with many addresses, only so many are tried. */
const addressesTried = 3;

/**
 * Resolves with the answer, its body unread; a redirect is an answer like any other. Throws NotPublic when the host
 * leads to an address that is not public.
 */
export async function sendRequest(network: Network, request: OutboundRequest): Promise<IncomingMessage> {
  const addresses = await within(request.signal, publicAddresses(network, request.url));
  let failure: unknown = Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
  for (const address of addresses.slice(0, addressesTried)) {
    try {
      return await sendTo(network, address, request);
    } catch (error) {
      failure = error;
      if (!/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/.test(codeOf(error))) break;
    }
  }
  throw failure;
}

/** Connects to the very address that was checked; over https the certificate must be the name's. */
function sendTo(network: Network, address: string, sent: OutboundRequest): Promise<IncomingMessage> {
  const { method, url, headers, body, signal } = sent;
  const host = hostOf(url);
  const request = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        ...network.route(address, portOf(url)),
        ...(isIP(host) ? {} : { servername: host }),
        method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, Host: url.host },
        agent: false,
        signal,
      },
      (response) => {
        // Without a listener a connection that breaks later would end the process.
        response.on("error", () => undefined);
        resolve(response);
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

/** Waits for the work until the signal, and rejects with the signal's reason then. */
export async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Why a request failed, in a word for the log: the code of the error, or its name. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name);
}
