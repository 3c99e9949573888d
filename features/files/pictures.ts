// The queue of pictures to decode: two at once, one per person, and only one in all of people whose pictures take long,
// so that nobody delays the others.
import { deadline } from "../../server/deadline.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Spent } from "../../server/house/spent.ts";
import { Queue, QueueClosed, Queues } from "../../server/queue.ts";
import type { Drawn, Picture } from "./decoding.ts";
import { patienceMs } from "./picture-limits.ts";
import type { Square } from "./squares.ts";

const mostAtOnce = 2;
/**
 * Recent decoding time from which a person's pictures count as long. A photo takes some tenths of a second, the most
 * expensive picture 5 s, or 10 s on a busy machine.
 */
const muchMs = 4000;
/** The share of the passing time by which a person's decoding time is reduced. */
const forgiven = 1 / 20;
/**
 * How long a picture waits for its turn: with the 10 s of decoding less than the 30 s after which an idle connection is
 * closed.
 */
const waitForTurnMs = 15_000;

/** `no picture`: it cannot be decoded. `not yet`: its turn did not come in time, or no process could be started. */
export type Inspected = Picture | Unseen;
type Unseen = "no picture" | "not yet";

/** Loaded with the first picture, not at each start. */
const decoding = () => import("./decoding.ts");

/** Decodes a picture in its process, until the signal ends it. */
type Work<Result> = (signal: AbortSignal) => Promise<{ picture?: Result | undefined; trouble?: string }>;

class NoTurn extends Error {}

export class Pictures {
  readonly #log: House["log"];
  readonly #waitMs: number;
  readonly #decodeMs: number;
  readonly #inTime: <T>(promise: Promise<T>) => Promise<T>;
  readonly #inAll = new Queue({ atOnce: mostAtOnce });
  readonly #byPerson = new Queues();
  /** People with much recent decoding time share one of the places; the other is left to those who need little. */
  readonly #long = new Queue();
  readonly #spent = new Spent(forgiven);
  readonly #muchMs: number;
  readonly #ending = new AbortController();
  /** True if the failure has been logged, until a picture can be decoded again. */
  #isTold = false;

  constructor({ log }: House, waitMs = waitForTurnMs, much = muchMs, decodeMs = patienceMs) {
    this.#log = log;
    this.#muchMs = much;
    this.#waitMs = waitMs;
    this.#decodeMs = decodeMs;
    this.#inTime = deadline(waitMs + decodeMs + 1000, () => new NoTurn());
  }

  /** Decodes this person's picture at `path` when its turn comes. */
  inspect(personId: string, path: string): Promise<Inspected> {
    return this.#inTurn(personId, async (signal) =>
      (await decoding()).decode(path, signal, undefined, this.#decodeMs),
    );
  }

  /** Draws a square of this person's picture at `path` when its turn comes. */
  draw(personId: string, path: string, square: Square | undefined): Promise<Drawn | Unseen> {
    return this.#inTurn(personId, async (signal) =>
      (await decoding()).draw(path, square, signal, this.#decodeMs),
    );
  }

  async #inTurn<Result>(personId: string, work: Work<Result>): Promise<Result | Unseen> {
    const latest = performance.now() + this.#waitMs;
    const look = () => this.#inAll.run(() => this.#timed(personId, () => this.#look(work, latest)));
    const inspected = this.#byPerson.run(personId, () =>
      this.#spent.of(personId) > this.#muchMs ? this.#long.run(look) : look(),
    );
    try {
      return await this.#inTime(inspected);
    } catch (error) {
      if (error instanceof NoTurn || error instanceof QueueClosed) return "not yet";
      throw error;
    }
  }

  close(): void {
    this.#long.close();
    this.#inAll.close();
    this.#ending.abort();
  }

  async #timed<T>(personId: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#spent.add(personId, performance.now() - begun);
    }
  }

  async #look<Result>(work: Work<Result>, latest: number): Promise<Result | Unseen> {
    if (performance.now() > latest) throw new NoTurn();
    const { picture, trouble } = await work(this.#ending.signal);
    if (trouble === undefined) {
      this.#isTold = false;
      return picture ?? "no picture";
    }
    if (!this.#isTold && !this.#ending.signal.aborted)
      this.#log.error({ reason: trouble }, "no picture can be looked at");
    this.#isTold = true;
    return "not yet";
  }
}

export const picturesOf = perHouse("queue", (house) => new Pictures(house));
