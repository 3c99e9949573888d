// Asks the provider: briefly, for little, and for each wish only once in a while, however many people have it.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house.ts";
import type { Gif } from "./contract.ts";
import { providers, type Wish } from "./providers.ts";

const patienceMs = 3000;
const largestAnswer = 1024 * 1024;
const keptMs = 5 * 60_000;
const mostKept = 200;
/** Different wishes that may be waited for at once. */
const mostAsked = 32;

interface Kept {
  until: number;
  gifs: Promise<Gif[]>;
}

/** What was found lately, by wish; what is being asked for is in here, too. */
class Findings {
  readonly #kept = new Map<string, Kept>();
  #asked = 0;

  find(wish: Wish, ask: () => Promise<Gif[]>): Promise<Gif[]> {
    const key = JSON.stringify([wish.words?.toLowerCase() ?? null, wish.limit]);
    const known = this.#kept.get(key);
    if (known && known.until > Date.now()) return known.gifs;
    if (this.#asked >= mostAsked) throw unavailable();
    this.#asked++;
    const gifs = ask().finally(() => {
      this.#asked--;
    });
    // The oldest goes first; what was asked for again is not the oldest any more.
    this.#kept.delete(key);
    if (this.#kept.size >= mostKept) this.#kept.delete(this.#kept.keys().next().value as string);
    const finding = { until: Date.now() + keptMs, gifs };
    this.#kept.set(key, finding);
    gifs.catch(() => {
      if (this.#kept.get(key) === finding) this.#kept.delete(key);
    });
    return gifs;
  }
}

const findingsOf = perHouse(() => new Findings());

/** Throws not_configured without a key, unavailable when the provider does not answer as it should. */
export async function findGifs(house: House, wish: Wish): Promise<Gif[]> {
  if (!house.config.gifs) {
    throw new Refusal("not_configured", "GIFs are not set up here. The operator can set GIF_API_KEY.");
  }
  return findingsOf(house).find(wish, () => ask(house, wish));
}

async function ask({ config, log }: House, wish: Wish): Promise<Gif[]> {
  const { provider: name, key, url } = config.gifs ?? { provider: "klipy", key: "", url: undefined };
  const provider = providers[name];
  // What goes wrong is told by its kind only: errors of the network, and of what came, may quote the address.
  let step = "no connection, or too slow";
  try {
    const response = await fetch((url ?? provider.origin) + provider.address(key, wish), {
      redirect: "manual",
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(patienceMs),
    });
    step = `status ${response.status}`;
    if (response.status !== 200) throw new Error(step);
    step = "too large, or too slow";
    const text = await readBounded(response);
    step = "not the shape that was expected";
    return provider.gifsIn(JSON.parse(text)).slice(0, wish.limit);
  } catch {
    log.warn({ provider: name, reason: step }, "the provider of GIFs gave no answer");
    throw unavailable();
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > largestAnswer) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function unavailable(): Refusal {
  return new Refusal(
    "unavailable",
    "The provider of GIFs does not answer at the moment. Try again shortly.",
    {
      retryAfter: 5,
    },
  );
}
