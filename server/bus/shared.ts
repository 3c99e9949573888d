// The bus of several processes: commits reach a process's own subscribers at once, and others through a carrier.
import { setTimeout as sleep } from "node:timers/promises";
import { everyProcess, type StreamKey } from "../place.ts";
import type { Bus, BusItem, LoggedEvent, Word } from "./bus.ts";
import { Heard } from "./heard.ts";
import { memoryBus } from "./memory.ts";
import { Recent } from "./recent.ts";
import { type Subject, subjectsOf } from "./subjects.ts";
import { decode, encode } from "./wire.ts";

/** Carries texts to the processes that listen to a subject. It may lose any of them without notice. */
export interface Carrier {
  /** True if texts arrive, as far as is known. */
  readonly isUp: boolean;
  /** True if texts arrive, and another process is there to receive them. */
  readonly isHeard: boolean;
  /** Why texts do not arrive, as a sentence; undefined where none should. */
  readonly trouble: string | undefined;
  /** True if unsigned texts are accepted; called repeatedly, as processes of an unsigning release come and go. */
  takeUnsigned(takes: boolean): void;
  /**
   * Takes the time of the database's clock, in milliseconds since 1970, and when it was requested, by
   * performance.now(); called repeatedly.
   */
  tellTime(at: number, asked: number): void;
  /** Never throws, and queues no more than a bounded number of texts. */
  send(subject: Subject, text: string): void;
  /** Resolves when texts of this subject are arriving, or when none arrive at all. */
  listen(subject: Subject): Promise<void>;
  leave(subject: Subject): void;
  /** Receives texts in the order in which each process sent them, without this process's own. */
  onText(hear: (text: string) => void): void;
  close(): void;
}

/** A carrier that carries nothing: other processes' commits are read from the database. */
export const noCarrier: Carrier = {
  isUp: false,
  isHeard: false,
  trouble: undefined,
  takeUnsigned() {},
  tellTime() {},
  send() {},
  async listen() {},
  leave() {},
  onText() {},
  close() {},
};

/** How many keys are remembered: stream and number of events of unfollowed streams, and ids of live frames. */
const looseRemembered = 20_000;

/** The most that a sign-in waits until texts of its streams are arriving, in milliseconds. */
const comingMs = 250;

export class SharedBus implements Bus {
  readonly #local: Bus;
  readonly #carrier: Carrier;
  readonly #heard = new Map<StreamKey, Heard>();
  readonly #loose = new Recent(looseRemembered);
  #readNotices: () => Promise<void> = async () => {};

  constructor(carrier: Carrier, failed: (error: unknown) => void) {
    this.#local = memoryBus(failed);
    this.#carrier = carrier;
    carrier.onText((text) => {
      try {
        this.take(decode(text));
      } catch (error) {
        failed(error);
      }
    });
    void carrier.listen(everyProcess);
  }

  get isCarried(): boolean {
    return this.#carrier.isUp;
  }

  get trouble(): string | undefined {
    return this.#carrier.trouble;
  }

  /** Called whenever the set of live processes was read anew. */
  takeUnsigned(takes: boolean): void {
    this.#carrier.takeUnsigned(takes);
  }

  /** Called whenever the database has reported its time. */
  tellTime(at: number, asked: number): void {
    this.#carrier.tellTime(at, asked);
  }

  publish(items: readonly BusItem[]): void {
    this.take(items);
    if (!this.#carrier.isHeard) return;
    const bySubject = new Map<Subject, BusItem[]>();
    for (const item of items) {
      for (const subject of subjectsOf(item)) {
        const known = bySubject.get(subject);
        if (known) known.push(item);
        else bySubject.set(subject, [item]);
      }
    }
    for (const [subject, some] of bySubject) this.#carrier.send(subject, encode(some));
  }

  tell(word: Word): void {
    if (this.#carrier.isHeard) this.#carrier.send(everyProcess, encode([word]));
  }

  subscribe(hear: (items: readonly BusItem[]) => void): void {
    this.#local.subscribe(hear);
  }

  follow(stream: StreamKey, after?: number): void {
    const known = this.#heard.get(stream);
    const heard = known ?? new Heard();
    if (after !== undefined) heard.start(after);
    if (known) return;
    this.#heard.set(stream, heard);
    heard.coming = this.#carrier.listen(stream).then(() => {
      heard.isComing = true;
    });
  }

  /** `read` reads what other processes have noted in the database so far, and passes it to `take`. */
  onBehind(read: () => Promise<void>): void {
    this.#readNotices = read;
  }

  async caughtUp(streams: readonly StreamKey[]): Promise<void> {
    const behind = streams.flatMap((stream) => {
      const heard = this.#heard.get(stream);
      return heard && !heard.isCaughtUp ? heard : [];
    });
    if (behind.length === 0) return;
    // A Redis that hangs is noticed after a while, and holds nobody up until then.
    const isComing = Promise.all(behind.map(({ coming }) => coming));
    if (this.#carrier.isUp) await Promise.race([isComing, sleep(comingMs, undefined, { ref: false })]);
    await this.#readNotices();
    for (const heard of behind) heard.isCaughtUp = heard.isComing;
  }

  /** Stops following the streams that are no longer wanted. */
  keepOnly(isWanted: (stream: StreamKey) => boolean): void {
    for (const stream of this.#heard.keys()) {
      if (isWanted(stream)) continue;
      this.#heard.delete(stream);
      this.#carrier.leave(stream);
    }
  }

  /** The followed streams whose starting number is known, with the numbers heard. */
  *followed(): Generator<[StreamKey, Heard]> {
    for (const entry of this.#heard) if (entry[1].isStarted) yield entry;
  }

  /** Passes those items that are new to this process to its subscribers. */
  take(items: readonly BusItem[]): void {
    const news = items.filter((item) => this.#isNews(item));
    if (news.length > 0) this.#local.publish(news);
  }

  #isNews(item: BusItem): boolean {
    if (item.kind === "logged") return this.#isLoggedNews(item);
    const id = item.kind === "live" || item.kind === "round" ? item.id : undefined;
    return id === undefined || this.#loose.add(id);
  }

  #isLoggedNews({ stream, seq, touches }: LoggedEvent): boolean {
    const heard = this.#heard.get(stream);
    if (heard) return heard.note(seq);
    return touches.length === 0 || this.#loose.add(`${stream} ${seq}`);
  }

  close(): void {
    this.#carrier.close();
  }
}
