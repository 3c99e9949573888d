// The library's client of LiveKit's room service, with our own requests: the library reads responses of any length.
import { RoomServiceClient, ServerError } from "livekit-server-sdk";
import { z } from "zod";
import { askByHttp, textOf } from "../../server/ask-by-http.ts";
import type { Config } from "../../server/config/config.ts";
import { parseForeign } from "../../server/foreign-json.ts";
import { isOk } from "../../server/wire/answer.ts";
import { httpForm } from "./addresses.ts";

/** Bytes of the longest response, a list of rooms or of a room's people: a thousand with three tracks are 3 MiB. */
const longestAnswer = 4 * 1024 * 1024;
/** The most values, lists and objects in a response; a person with three tracks has 200. */
const mostParts = 300_000;
/** The most rooms or people. The library creates a large object for each, however short its entry is. */
const mostEntries = 10_000;
/** The most characters of a plain-text response that are logged. */
const longestReason = 500;

/** Twirp's error format. */
const twirpError = z.object({ code: z.string(), msg: z.string().optional() });

/** Creates a client whose calls end within `patienceMs` milliseconds. */
export function roomClient(
  { url, key, secret }: NonNullable<Config["livekit"]>,
  patienceMs: number,
): RoomServiceClient {
  const client = new RoomServiceClient(httpForm(url), key, secret);
  // The library accepts no `fetch`; it sends all requests through this object.
  const rpc = {
    request: (service: string, method: string, data: unknown, headers: Record<string, string>) =>
      request(new URL(`/twirp/livekit.${service}/${method}`, httpForm(url)), data, headers, patienceMs),
  };
  return Object.assign(client, { rpc });
}

async function request(
  address: URL,
  data: unknown,
  headers: Record<string, string>,
  patienceMs: number,
): Promise<unknown> {
  const given = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(data),
    withinMs: patienceMs,
    bodyMax: longestAnswer,
  };
  const answer = await askByHttp(address, given);
  const text = textOf(answer);
  const told = valueIn(text);
  if (entriesOf(told) > mostEntries)
    throw new ServerError("ServerError", "it tells of more rooms or people than there can be", answer.status);
  if (isOk(answer) && told !== undefined) return told;
  // A proxy, and LiveKit itself for an unknown token, respond in plain text.
  const { code, msg = text.slice(0, longestReason) || "it does not answer as LiveKit does" } =
    twirpError.safeParse(told).data ?? {};
  throw new ServerError("ServerError", msg, answer.status, code);
}

/** Returns the length of the longest list at the top level. */
function entriesOf(told: unknown): number {
  const values = typeof told === "object" && told !== null ? Object.values(told) : [];
  return values.reduce<number>((most, value) => Math.max(most, Array.isArray(value) ? value.length : 0), 0);
}

function valueIn(json: string): unknown {
  try {
    return parseForeign(json, mostParts);
  } catch {
    return undefined;
  }
}
