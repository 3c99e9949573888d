// Delivers one encrypted push to its service: to a checked address, once, with a short timeout.
import { NotPublic } from "../../server/outbound/addresses.ts";
import { type Network, patienceOf } from "../../server/outbound/network.ts";
import { codeOf, sendRequest } from "../../server/outbound/request.ts";

export interface PushRequest {
  endpoint: URL;
  headers: Record<string, string | number>;
  body: Buffer;
}

/** `refused`: a retry makes no sense. */
export type Outcome =
  | { kind: "sent" | "gone" }
  | { kind: "later"; afterMs: number; why: string }
  | { kind: "refused"; why: string };

/** A status and a few headers, in bytes; response bodies are not read. */
const mostHead = 16 * 1024;

/** Never throws. */
export async function deliver(network: Network, push: PushRequest, closing: AbortSignal): Promise<Outcome> {
  const { endpoint: url, headers, body } = push;
  const until = performance.now() + patienceOf(network);
  try {
    const request = { method: "POST", url, headers, body, mostHead, until, closing } as const;
    const answer = await sendRequest(network, request);
    return outcomeOf({ status: answer.status, retryAfter: answer.headers.get("retry-after") });
  } catch (error) {
    if (error instanceof NotPublic)
      return { kind: "refused", why: "the name leads to an address that is not public" };
    return { kind: "later", afterMs: 0, why: codeOf(error) };
  }
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
}

function outcomeOf({ status, retryAfter }: Answer): Outcome {
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const why = `status ${status}`;
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: "later", afterMs: waitOf(retryAfter, Date.now()), why };
  }
  // A redirect counts as refused, too: its target was not checked.
  return { kind: "refused", why };
}

/** Returns the milliseconds from Retry-After, which is a number of seconds or a date; 0 without one. */
export function waitOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
