// Whose long work for a socket is done when: people to whom much is sent do not hold up those who ask for little.
import { Mutex } from "../database/mutex.ts";
import { nextTurn } from "../house/pieces.ts";

export class Turns {
  readonly #ofPerson = new Map<string, { turn: Mutex; waiting: number }>();
  readonly #long = new Mutex();

  /** One after the other for each person, however many sockets they have; of what is long, one over everybody. */
  async run<T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> {
    const mine = this.#ofPerson.get(userId) ?? { turn: new Mutex(), waiting: 0 };
    this.#ofPerson.set(userId, mine);
    mine.waiting++;
    try {
      return await mine.turn.run(() => (isLong ? this.#long.run(work) : work()));
    } finally {
      if (--mine.waiting === 0) this.#ofPerson.delete(userId);
    }
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
  readonly #turn = new Mutex();
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
