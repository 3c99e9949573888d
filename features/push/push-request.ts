// Delivers one encrypted push to its service: to a checked address, once, with a short time limit.
import { request } from "node:https";
import { isIP } from "node:net";
import { hostOf, NotPublic, publicAddresses } from "./addresses.ts";
import type { Network } from "./network.ts";

export interface PushRequest {
  endpoint: URL;
  headers: Record<string, string | number>;
  body: Buffer;
}

/** `refused`: trying again makes no sense. */
export type Outcome =
  | { kind: "sent" | "gone" }
  | { kind: "later"; afterMs: number; why: string }
  | { kind: "refused"; why: string };

/** From the look-up of the name to the status of the answer. The body of the answer is not read. */
const patienceMs = 5000;
/** Of a host with many addresses, only so many are tried. */
const addressesTried = 3;

/** Never throws. */
export async function deliver(network: Network, push: PushRequest, closing: AbortSignal): Promise<Outcome> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(patienceMs)]);
  let why = "no address";
  try {
    const addresses = await within(signal, publicAddresses(network, push.endpoint));
    for (const address of addresses.slice(0, addressesTried)) {
      try {
        return outcomeOf(await postTo(network, address, push, signal));
      } catch (error) {
        why = codeOf(error);
        if (!/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/.test(why)) break;
      }
    }
  } catch (error) {
    if (error instanceof NotPublic)
      return { kind: "refused", why: "the name leads to an address that is not public" };
    why = codeOf(error);
  }
  return { kind: "later", afterMs: 0, why };
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
}

/** Connects to the very address that was checked; the certificate must be the name's. */
function postTo(network: Network, address: string, push: PushRequest, signal: AbortSignal): Promise<Answer> {
  const { endpoint, headers, body } = push;
  const host = hostOf(endpoint);
  return new Promise((resolve, reject) => {
    const posted = request(
      {
        ...network.route(address),
        ...(isIP(host) ? {} : { servername: host }),
        method: "POST",
        path: `${endpoint.pathname}${endpoint.search}`,
        headers: { ...headers, Host: endpoint.host },
        agent: false,
        signal,
      },
      (response) => {
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] });
        response.on("error", () => undefined);
        response.destroy();
      },
    );
    posted.on("error", reject);
    posted.end(body);
  });
}

function outcomeOf({ status, retryAfter }: Answer): Outcome {
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const why = `status ${status}`;
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: "later", afterMs: waitOf(retryAfter, Date.now()), why };
  }
  // A redirect is refused too: its target was not checked.
  return { kind: "refused", why };
}

/** Milliseconds from Retry-After, which is a number of seconds or a date; 0 without one. */
export function waitOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name);
}
