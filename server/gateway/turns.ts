// Turns for long work on sockets: people to whom much is sent do not delay people who request little.
import { nextTurn } from "../house/pieces.ts";
import { Queue } from "../queue.ts";

/** People whose work runs at a time: while some wait for the database, others are sent their results. */
const atOnce = 4;

interface Turn {
  userId: string;
  isLong: boolean;
  begin(): void;
}

/** Runs one piece of work at a time for each person, a few over all people, and at most one long one. */
export class Turns {
  readonly #socketsOf: (userId: string) => number;
  /** In the order of their arrival. */
  readonly #waiting = new Set<Turn>();
  readonly #running = new Set<Turn>();
  #isLongest = false;

  /** `socketsOf` returns how many sockets a person has: those with few do not wait behind all those with many. */
  constructor(socketsOf: (userId: string) => number) {
    this.#socketsOf = socketsOf;
  }

  async run<T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> {
    const turn: Turn = { userId, isLong, begin() {} };
    await new Promise<void>((begin) => {
      turn.begin = begin;
      this.#waiting.add(turn);
      this.#beginSome();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(turn);
      this.#beginSome();
    }
  }

  #beginSome(): void {
    while (this.#running.size < atOnce) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      next.begin();
    }
  }

  /**
   * Picks alternately the longest wait, and a person with the fewest sockets: the first alone would keep a person with
   * one socket behind everybody with fifty, the second alone could starve a person with fifty.
   */
  #next(): Turn | undefined {
    const running = [...this.#running];
    let next: Turn | undefined;
    for (const turn of this.#waiting) {
      const mayRun = !running.some(({ userId, isLong }) => userId === turn.userId || (isLong && turn.isLong));
      if (mayRun && (!next || this.#socketsOf(turn.userId) < this.#socketsOf(next.userId))) next = turn;
      if (next && this.#isLongest) break;
    }
    if (next) this.#isLongest = !this.#isLongest;
    return next;
  }
}

/** The weight of a piece, in characters that are read from the log and sent: a millisecond or two of work. */
export const weightAtOnce = 256 * 1024;
/** The additional weight of each row and each query, in characters. */
export const weightOfRow = 512;
export const weightOfQuestion = 5 * 1024;

/**
 * Turns of the event loop between pieces. A post is read, committed, synced and answered, each in another turn: a piece
 * before each of them would add up.
 */
const turnsBetween = 4;

/** Gives other work some turns for each `weightAtOnce` that was done in one go. */
async function restAfter(weight: number): Promise<void> {
  const turns = Math.floor(weight / weightAtOnce) * turnsBetween;
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

/** Runs pieces of long work one at a time; after each `weightAtOnce`, other work has some turns. */
export class PieceTurns {
  readonly #turn = new Queue();
  #weight = 0;

  /** `piece` returns its weight. */
  run(piece: () => Promise<number>): Promise<void> {
    return this.#turn.run(async () => {
      this.#weight += await piece();
      if (this.#weight < weightAtOnce) return;
      const weight = this.#weight;
      this.#weight = 0;
      await restAfter(weight);
    });
  }
}
