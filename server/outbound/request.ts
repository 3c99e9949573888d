// Requests to hosts that people enter: each goes to an address that was checked, and to no other, over a connection
// whose reader bounds the answer.
import { inTime, type Time } from "../in-time.ts";
import type { Answer } from "../wire/answer.ts";
import type { AnswerBounds } from "../wire/answer-reader.ts";
import { Connection } from "../wire/connection.ts";
import { certifiedOf, mostBytesOf, mostHead, portOf, requestHead } from "../wire/request-head.ts";
import { publicAddresses } from "./addresses.ts";
import type { Network } from "./network.ts";

interface OutboundRequest extends Time {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string | number>;
  body?: Uint8Array;
  /** The most bytes up to the end of the answer's final head; 64 KiB when left out. */
  mostHead?: number;
  /** Returns how many bytes of the body to read, at most `bodyMax`. Throws to refuse the answer for its head. */
  mostBody?: AnswerBounds["mostBody"];
  /** The largest body that the caller may want, in bytes; none when left out. */
  bodyMax?: number;
}

/** How many of a host's addresses are tried. */
const addressesTried = 3;

/**
 * Resolves with the answer; a redirect is an answer like any other. Throws NotPublic when the host resolves to an
 * address that is not public, Late after the deadline, and BadAnswer.
 */
export function sendRequest(network: Network, request: OutboundRequest): Promise<Answer> {
  return inTime(request, async (ending) => {
    const addresses = await publicAddresses(network, request.url);
    let failure: unknown = Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
    for (const address of addresses.slice(0, addressesTried)) {
      try {
        return await sendTo(network, address, request, ending);
      } catch (error) {
        failure = error;
        if (!/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/.test(codeOf(error))) break;
      }
    }
    throw failure;
  });
}

/** Connects to exactly the address that was checked; over https the certificate must match the host's name. */
async function sendTo(
  network: Network,
  address: string,
  sent: OutboundRequest,
  ending: AbortSignal,
): Promise<Answer> {
  const { method, url, headers, body, bodyMax = 0 } = sent;
  const bounds = { mostHead: sent.mostHead ?? mostHead, mostBody: sent.mostBody ?? (() => 0) };
  const connection = new Connection(network.route(address, portOf(url)), certifiedOf(url));
  try {
    return await connection.exchange({
      head: requestHead(method, url, { ...headers, Connection: "close" }),
      body,
      bounds,
      mostBytes: mostBytesOf(bounds.mostHead, bodyMax),
      ending,
    });
  } finally {
    connection.close();
  }
}

/** Why a request failed, as a word for the log: the error's code, the host's fault, or the error's name. */
export function codeOf(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  if (typeof code === "string") return code;
  return name === "BadAnswer" || name === "Late" ? String(message) : String(name);
}
