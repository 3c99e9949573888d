// The library's client of LiveKit's rooms, with requests of our own: the library's read an answer whatever its length.
import { RoomServiceClient, ServerError } from "livekit-server-sdk";
import { z } from "zod";
import { askByHttp, textOf } from "../../server/ask-by-http.ts";
import type { Config } from "../../server/config/config.ts";
import { parseForeign } from "../../server/foreign-json.ts";
import { isOk } from "../../server/wire/answer.ts";
import { httpForm } from "./addresses.ts";

/** The longest answer is a list of all rooms, or of all people in one: a thousand with three tracks each are 3 MiB. */
const longestAnswer = 4 * 1024 * 1024;
/** Values, lists and objects of such an answer; a person with three tracks has 200. */
const mostParts = 300_000;
/** Rooms or people. The library makes a large object of each, however little was said of it. */
const mostEntries = 10_000;
/** Characters of an answer in plain words that the log repeats. */
const longestReason = 500;

/** As Twirp tells of an error. */
const twirpError = z.object({ code: z.string(), msg: z.string().optional() });

/** Each call ends within `patienceMs`. */
export function roomClient(
  { url, key, secret }: NonNullable<Config["livekit"]>,
  patienceMs: number,
): RoomServiceClient {
  const client = new RoomServiceClient(httpForm(url), key, secret);
  // The library takes no `fetch`; this is the one object by which it sends requests.
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
  // A proxy, and LiveKit itself where it knows no token, answer in plain words.
  const { code, msg = text.slice(0, longestReason) || "it does not answer as LiveKit does" } =
    twirpError.safeParse(told).data ?? {};
  throw new ServerError("ServerError", msg, answer.status, code);
}

/** The length of the longest list in it, at its first level. */
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
