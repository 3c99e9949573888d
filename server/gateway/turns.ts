// Turns for long work on sockets: people to whom much is sent do not hold up people who ask for little.
import { nextTurn } from "../house/pieces.ts";
import { Queue, Queues } from "../queue.ts";

export class Turns {
  readonly #ofPerson = new Queues();
  readonly #long = new Queue();

  /** Runs a person's work one after the other, over all of their sockets; long work one at a time over all people. */
  run<T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> {
    return this.#ofPerson.run(userId, () => (isLong ? this.#long.run(work) : work()));
  }
}

/** The weight of a piece, in characters that are read from the log and sent: a millisecond or two of work. */
export const weightAtOnce = 256 * 1024;
/** What each row and each query costs besides, in characters. */
export const weightOfRow = 512;
export const weightOfQuestion = 5 * 1024;

/**
 * Turns of the event loop between pieces. A post is read, committed, synced and answered, each in another turn: a piece
 * before each of them would add up.
 */
const turnsBetween = 4;

/** Runs pieces of long work one at a time; after each `weightAtOnce`, other work has some turns. */
export class PieceTurns {
  readonly #turn = new Queue();
  #weight = 0;

  /** `piece` returns its weight. */
  run(piece: () => Promise<number>): Promise<void> {
    return this.#turn.run(async () => {
      this.#weight += await piece();
      if (this.#weight < weightAtOnce) return;
      this.#weight = 0;
      for (let turn = 0; turn < turnsBetween; turn++) await nextTurn();
    });
  }
}
