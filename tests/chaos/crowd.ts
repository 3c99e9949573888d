// People who post at a steady rate and retry without end, and listeners who reconnect; both record what they saw.
import { Listener } from "../../tools/client/listener.ts";
import { ask, type Person } from "../../tools/client/person.ts";
import { Refused } from "../../tools/client/request.ts";
import type { Message } from "../../tools/client/wire.ts";

const againMs = 50;
/** Pending posts of one person; the runtime allows 256 requests in all. */
const mostUnderWay = 60;
const alreadyThere = 200;

/** Posts at a steady rate, and retries each post until it is acknowledged. */
export class Crowd {
  /** Ids of acknowledged messages. */
  readonly acknowledged = new Set<string>();
  /** Errors that a client cannot handle; there must be none. */
  readonly wrong: string[] = [];
  refusals = 0;
  cuts = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #underWay = new Set<Promise<void>>();
  /** By person: pending posts, the time of the last acknowledgement, and the longest time without one. */
  readonly #waiting: number[];
  readonly #lastAt: number[];
  readonly #pauses: number[];
  #number = 0;
  readonly #people: readonly Person[];
  readonly #channelId: string;

  constructor(people: readonly Person[], channelId: string) {
    this.#people = people;
    this.#channelId = channelId;
    this.#waiting = people.map(() => 0);
    this.#lastAt = people.map(() => performance.now());
    this.#pauses = people.map(() => 0);
  }

  begin(perSecond: number): void {
    this.#timer = setInterval(() => {
      const number = this.#number++;
      if (this.#waiting[number % this.#people.length]! >= mostUnderWay) return;
      const posting = this.#post(number).finally(() => this.#underWay.delete(posting));
      this.#underWay.add(posting);
    }, 1000 / perSecond);
  }

  /** Resolves when every post is acknowledged. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
  }

  /** Restarts the measurement of the time between a person's acknowledged posts. */
  watch(): void {
    this.#pauses.fill(0);
    this.#lastAt.fill(performance.now());
  }

  /** The longest time without an acknowledged post since `watch`, by person, in milliseconds. */
  pauses(): number[] {
    const now = performance.now();
    return this.#pauses.map((longest, i) => Math.round(Math.max(longest, now - this.#lastAt[i]!)));
  }

  /** Resolves when a new post is acknowledged by each process; returns the time taken, in milliseconds. */
  async recovered(): Promise<number> {
    const from = performance.now();
    // Consecutive numbers, one a person, so that each process gets a post.
    const numbers = this.#people.map(() => this.#number++);
    await Promise.all(numbers.map((number) => this.#post(number)));
    return performance.now() - from;
  }

  async #post(number: number): Promise<void> {
    const body = { content: `message ${number}`, nonce: `nonce-${number}` };
    const i = number % this.#people.length;
    const person = this.#people[i]!;
    this.#waiting[i]!++;
    for (;;) {
      try {
        const { status, body: message } = await ask(
          person,
          "POST",
          `/channels/${this.#channelId}/messages`,
          body,
        );
        const { id } = message as Message;
        if (status !== alreadyThere && this.acknowledged.has(id)) this.wrong.push(`${id} was given twice`);
        this.acknowledged.add(id);
        this.#waiting[i]!--;
        this.#pauses[i] = Math.max(this.#pauses[i]!, performance.now() - this.#lastAt[i]!);
        this.#lastAt[i] = performance.now();
        return;
      } catch (error) {
        this.#note(error);
        await Bun.sleep(againMs);
      }
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof Refused)) this.cuts++;
    else if (error.status === 503 && error.retryAfterSeconds !== undefined) this.refusals++;
    else this.wrong.push(error.message);
  }
}

/** Listens to a channel through one address, and records faults. */
export class Checker {
  readonly listener: Listener;
  readonly #heard: string[] = [];
  #recovered = 0;

  constructor(person: Person) {
    this.listener = new Listener(person, ({ id }, how) => {
      if (how === "recovered") this.#recovered++;
      this.#heard.push(id);
    });
  }

  /** Number of acknowledged ids that were not received. */
  missing(acknowledged: ReadonlySet<string>): number {
    return acknowledged.difference(new Set(this.#heard)).size;
  }

  /** Counts of messages that did not arrive exactly once and in order: all must be 0. */
  faults() {
    const rising = this.#heard.toSorted();
    return {
      doubled: this.#heard.length - new Set(this.#heard).size,
      "out of order": this.listener.counts.disorders + this.#heard.filter((id, i) => id !== rising[i]).length,
      "begun anew": this.listener.counts.readies - 1 + this.#recovered,
      failure: this.listener.failure?.message,
    };
  }
}
