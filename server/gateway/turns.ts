// Whose long work for a socket is done when: people to whom much is sent do not hold up those who ask for little.
import { nextTurn } from "../house/pieces.ts";
import { Queue, Queues } from "../queue.ts";

export class Turns {
  readonly #ofPerson = new Queues();
  readonly #long = new Queue();

  /** One after the other for each person, however many sockets they have; of what is long, one over everybody. */
  run<T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> {
    return this.#ofPerson.run(userId, () => (isLong ? this.#long.run(work) : work()));
  }
}

/** How heavy a piece should be, in characters that are read from the log and sent: a millisecond or two. */
export const weightAtOnce = 256 * 1024;
/** What a row and a question cost besides. */
export const weightOfRow = 512;
export const weightOfQuestion = 5 * 1024;

/** A post is heard, committed, synced and answered, each in another turn: a piece before each of them would add up. */
const turnsBetween = 4;

/** Pieces of long work, one at a time over everybody; whenever they were heavy enough, others have some turns. */
export class PieceTurns {
  readonly #turn = new Queue();
  #weight = 0;

  /** `piece` answers how heavy it was. */
  run(piece: () => Promise<number>): Promise<void> {
    return this.#turn.run(async () => {
      this.#weight += await piece();
      if (this.#weight < weightAtOnce) return;
      this.#weight = 0;
      for (let turn = 0; turn < turnsBetween; turn++) await nextTurn();
    });
  }
}
