// Whose state is loaded when: people who are in very many servers do not hold up those who are in few.
import { Mutex } from "../database/mutex.ts";

/** With more servers than this a state takes so long that others of the kind wait for it. */
const fewServers = 25;

export class Turns {
  readonly #ofPerson = new Map<string, { turn: Mutex; waiting: number }>();
  readonly #long = new Mutex();

  /** One after the other for each person, however many sockets they have; of states of many servers one at a time. */
  async run<T>(userId: string, servers: number, load: () => Promise<T>): Promise<T> {
    const mine = this.#ofPerson.get(userId) ?? { turn: new Mutex(), waiting: 0 };
    this.#ofPerson.set(userId, mine);
    mine.waiting++;
    try {
      return await mine.turn.run(() => (servers > fewServers ? this.#long.run(load) : load()));
    } finally {
      if (--mine.waiting === 0) this.#ofPerson.delete(userId);
    }
  }
}
