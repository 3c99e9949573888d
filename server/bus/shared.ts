// The bus of several processes: what one commits reaches its own subscribers at once, and others through a carrier.
import { everyProcess, type StreamKey } from "../place.ts";
import type { Bus, BusItem, LoggedEvent, Word } from "./bus.ts";
import { Heard } from "./heard.ts";
import { memoryBus } from "./memory.ts";
import { Recent } from "./recent.ts";
import { type Subject, subjectsOf } from "./subjects.ts";
import { decode, encode } from "./wire.ts";

/** Carries texts to the processes that listen to a subject. It may lose any, and says so to nobody. */
export interface Carrier {
  /** Whether what is sent arrives, as far as is known. */
  readonly isUp: boolean;
  /** Whether it does, and another process is there to hear it. */
  readonly isHeard: boolean;
  /** Why nothing arrives, as a sentence; undefined where nothing should. */
  readonly trouble: string | undefined;
  /** Whether texts count that nobody signed; called again and again, as processes of a release that signs none come and go. */
  takeUnsigned(takes: boolean): void;
  /**
   * What time it is by the clock of the database, in milliseconds since 1970, and when it was asked, by performance.now();
   * called again and again.
   */
  tellTime(at: number, asked: number): void;
  /** Never throws, and keeps no more than a bounded number of texts that wait. */
  send(subject: Subject, text: string): void;
  /** Resolves when texts of this subject come in, or when nothing comes in at all. */
  listen(subject: Subject): Promise<void>;
  leave(subject: Subject): void;
  /** Takes what comes in, in the order in which each process sent it; without what this process sent. */
  onText(hear: (text: string) => void): void;
  close(): void;
}

/** Carries nothing: what other processes commit is read in the database. */
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

/** Events that touch people whose server is not followed here, by stream and number, and live frames by id. */
const looseRemembered = 20_000;

export class SharedBus implements Bus {
  readonly #local: Bus;
  readonly #carrier: Carrier;
  readonly #heard = new Map<StreamKey, Heard>();
  readonly #loose = new Recent(looseRemembered);

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

  /** Called whenever it is known anew which processes are alive. */
  takeUnsigned(takes: boolean): void {
    this.#carrier.takeUnsigned(takes);
  }

  /** Called whenever the database has said what time it is. */
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
    void this.#carrier.listen(stream).then(() => {
      heard.isComing = true;
    });
  }

  /** Gives up the streams that are not wanted any more. */
  keepOnly(isWanted: (stream: StreamKey) => boolean): void {
    for (const stream of this.#heard.keys()) {
      if (isWanted(stream)) continue;
      this.#heard.delete(stream);
      this.#carrier.leave(stream);
    }
  }

  /** By stream that is followed from a known number: what was heard of it. */
  *followed(): Generator<[StreamKey, Heard]> {
    for (const entry of this.#heard) if (entry[1].isStarted) yield entry;
  }

  /** Tells the subscribers of this process what of these items is news to it. */
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
