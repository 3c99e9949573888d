// Whose long work for a socket is done when: people to whom much is sent do not hold up those who ask for little.
import { Mutex } from "../database/mutex.ts";

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
