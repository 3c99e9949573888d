// Queries the GIF provider with a short timeout and a limit on results, and caches each search for some minutes, for
// everybody.
import { Refusal } from "../../protocol/errors.ts";
import { askByHttp, textOf } from "../../server/ask-by-http.ts";
import type { Config } from "../../server/config/config.ts";
import { parseForeign } from "../../server/foreign-json.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Queue } from "../../server/queue.ts";
import type { Gif } from "./contract.ts";
import { providers, type Wish } from "./providers.ts";

const usualPatienceMs = 3000;
/** Timeout of a request to the provider, in milliseconds. Tests use a shorter one. */
export const gifPatience = perHouse("cache", () => ({ ms: usualPatienceMs }));
/** Limit of a response body, in bytes: fifty GIFs, each with URLs of two dozen sizes and formats. */
const largestAnswer = 1024 * 1024;
/** Limit of the values, lists and objects in a response. */
const mostParts = 60_000;
const keptMs = 5 * 60_000;
const mostKept = 200;
/** Limit of different searches that wait for the provider at once. */
const mostAsked = 32;

interface Kept {
  until: number;
  gifs: Promise<Gif[]>;
}

/** Recent results by search, including pending requests. */
class Findings {
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Queue({ atOnce: mostAsked, mostWaiting: 0 });

  find(wish: Wish, ask: () => Promise<Gif[]>): Promise<Gif[]> {
    const key = JSON.stringify([wish.words?.toLowerCase() ?? null, wish.limit]);
    const known = this.#kept.get(key);
    if (known && known.until > performance.now()) return known.gifs;
    if (this.#asking.isFull) throw unavailable();
    const gifs = this.#asking.run(ask);
    // The oldest entry goes first; a repeated search becomes the newest again.
    this.#kept.delete(key);
    if (this.#kept.size >= mostKept) this.#kept.delete(this.#kept.keys().next().value as string);
    const finding = { until: performance.now() + keptMs, gifs };
    this.#kept.set(key, finding);
    gifs.catch(() => {
      if (this.#kept.get(key) === finding) this.#kept.delete(key);
    });
    return gifs;
  }
}

const findingsOf = perHouse("cache", () => new Findings());

/** Throws not_configured without a key, unavailable when the provider fails or sends something unexpected. */
export async function findGifs(house: House, wish: Wish): Promise<Gif[]> {
  const { gifs } = house.config;
  if (!gifs) {
    throw new Refusal("not_configured", "GIFs are not set up here. The operator can set GIF_API_KEY.");
  }
  return findingsOf(house).find(wish, async () => {
    const answer = await askProvider(gifs, wish, gifPatience(house).ms);
    if (answer.gifs) return answer.gifs;
    house.log.warn({ provider: gifs.provider, reason: answer.reason }, "the provider of GIFs gave no answer");
    throw unavailable();
  });
}

type Asked = { gifs: Gif[] } | { gifs?: undefined; reason: string; status?: number | undefined };

/**
 * Sends one request to the provider. Reports only the kind and status of a failure: errors of the network or the parser
 * may quote the URL, which holds the key.
 */
export async function askProvider(
  { provider: name, key, url }: NonNullable<Config["gifs"]>,
  wish: Wish,
  patienceMs = usualPatienceMs,
): Promise<Asked> {
  const provider = providers[name];
  let reason = "no connection, or too slow";
  let status: number | undefined;
  try {
    const address = (url ?? provider.origin) + provider.address(key, wish);
    const answer = await askByHttp(address, {
      ...{ headers: { Accept: "application/json" }, withinMs: patienceMs, bodyMax: largestAnswer },
      mostBody(head) {
        status = head.status;
        if (status !== 200) return 0;
        reason = "too large, or too slow";
        return largestAnswer;
      },
    });
    if (status !== 200) return { reason: `status ${status}`, status };
    reason = "not the shape that was expected";
    return { gifs: provider.gifsIn(parseForeign(textOf(answer), mostParts)).slice(0, wish.limit) };
  } catch {
    return { reason, status };
  }
}

function unavailable(): Refusal {
  const sentence = "The provider of GIFs does not answer at the moment. Try again shortly.";
  return new Refusal("unavailable", sentence, { retryAfter: 5 });
}
