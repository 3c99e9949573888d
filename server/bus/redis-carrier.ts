// Carries texts between processes through Redis: one sharded channel per stream, pipelined; lost texts stay lost.
import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { everyProcess } from "../place.ts";
import type { Carrier } from "./shared.ts";
import { Signatures } from "./signature.ts";
import type { Subject } from "./subjects.ts";

/** How long a start waits for Redis, in milliseconds. */
export const startMs = 5000;
/** The most texts that may wait for Redis: some tenths of a second of a busy process. */
const mostWaiting = 10_000;
export const longestPauseMs = 1000;

export type Client = ReturnType<typeof connection>;

/** Times in milliseconds. */
interface Pulse {
  /** The interval between pulses, and the maximum age of the last one that arrived. */
  everyMs: number;
  ageMs: number;
  /** How long another process counts as present after it was last noticed. */
  othersAgeMs: number;
}

const usualPulse: Pulse = { everyMs: 500, ageMs: 1500, othersAgeMs: 2000 };

/** `hear` is called with the reason when Redis is lost, and with undefined when it is back. */
export interface RedisOptions {
  url: string;
  /** Identifies the log, so that several Hearths can use one Redis. */
  epoch: string;
  /** The key for signatures, which others with access to this Redis do not know. */
  key: string;
  /** The time of the database's clock, in milliseconds since 1970. */
  at: number;
  /** Called for the first text that no process of this Hearth can have sent, and for the first that is late. */
  dropped: (why: "forged" | "late") => void;
  hear: (trouble: string | undefined) => void;
  pulse?: Pulse;
}

export function connection(
  url: string,
  reconnectStrategy: (retries: number, cause: Error) => number | Error,
) {
  return createClient({
    url,
    commandsQueueMaxLength: mostWaiting,
    // In protocol version 3 a subscribed connection can also send, and several texts wake the process once.
    RESP: 3,
    socket: { connectTimeout: startMs, keepAlive: true, reconnectStrategy },
  });
}

export function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || "the connection was refused";
}

/** Reports a trouble once when it begins and once when it ends. */
export class Troubles {
  readonly #hear: (trouble: string | undefined) => void;
  #reason = "it does not answer in time";
  #isTold = false;

  constructor(hear: (trouble: string | undefined) => void) {
    this.#hear = hear;
  }

  note(reason: string): void {
    this.#reason = reason;
  }

  tell(isUp: boolean): void {
    if (isUp !== this.#isTold) return;
    this.#isTold = !isUp;
    this.#hear(isUp ? undefined : this.#reason);
    if (isUp) this.#reason = "it does not answer in time";
  }
}

interface CarrierParts extends Pick<RedisOptions, "key" | "at" | "dropped" | "pulse"> {
  prefix: string;
  troubles: Troubles;
}

export class RedisCarrier implements Carrier {
  readonly #client: Client;
  readonly #prefix: string;
  /** The channel on which a process announces its arrival. */
  readonly #arrivals: string;
  readonly #troubles: Troubles;
  /** The id of this process, which begins the first line of each text that it sends. */
  readonly #me = randomUUID();
  /** The channel of this process's own pulses: as long as they come back, texts arrive. */
  readonly #pulse: string;
  readonly #ages: Pulse;
  readonly #signatures: Signatures;
  readonly #dropped: RedisOptions["dropped"];
  readonly #told = new Set<"forged" | "late">();
  #takesUnsigned = false;
  #hasDroppedUnsigned = false;
  /** Subscribed subjects. Redis is told of changes only while connected: otherwise the client queues each one. */
  readonly #subjects = new Set<Subject>();
  /** The one listener for all channels: with a second one on a channel, the client would deliver each line twice. */
  readonly #takeFrom = (line: string, name: string): void =>
    this.#take(name.slice(this.#prefix.length) as Subject, line);
  #hear: (text: string) => void = () => {};
  /** When the latest pulse to arrive was sent. */
  #pulsedAt = Number.NEGATIVE_INFINITY;
  /** When another process was last noticed. */
  #othersAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(client: Client, { prefix, key, at, dropped, troubles, pulse = usualPulse }: CarrierParts) {
    this.#client = client;
    this.#ages = pulse;
    this.#signatures = new Signatures(key, this.#me, { at });
    this.#dropped = dropped;
    this.#prefix = prefix;
    this.#arrivals = `${prefix}arrivals`;
    this.#pulse = `${prefix}pulse:${this.#me}`;
    this.#troubles = troubles;
    client.on("ready", () => {
      // Other processes may have counted listeners while this one was away.
      this.#write(this.#arrivals, this.#me);
      this.#tellSubjects();
    });
  }

  get isUp(): boolean {
    return performance.now() - this.#pulsedAt < this.#ages.ageMs;
  }

  get isHeard(): boolean {
    return this.isUp && performance.now() - this.#othersAt < this.#ages.othersAgeMs;
  }

  get trouble(): string | undefined {
    return this.isUp ? undefined : "Redis is away: other processes are heard within a second";
  }

  /** Resolves once the first pulse has arrived. */
  async begin(): Promise<void> {
    const arrived = Promise.withResolvers<void>();
    await this.#client.sSubscribe(this.#pulse, (sentAt) => {
      // Others may write to this channel: a time in the future would count for ever.
      if (!(Number(sentAt) <= performance.now())) return;
      this.#pulsedAt = Math.max(this.#pulsedAt, Number(sentAt));
      arrived.resolve();
    });
    await this.#client.sSubscribe(this.#arrivals, (who) => {
      if (who !== this.#me) this.#othersAt = performance.now();
    });
    this.#write(this.#arrivals, this.#me);
    this.#write(this.#pulse, String(performance.now()));
    await Promise.all([arrived.promise, this.#countOthers(0)]);
  }

  /** From now on the loss and the return of Redis are reported. */
  watch(): void {
    this.#timer = setInterval(() => {
      this.#troubles.tell(this.isUp);
      if (!this.#client.isReady) return;
      // One waiting pulse says as much as many, and is as late as the texts before it.
      this.#write(this.#pulse, String(performance.now()));
      void this.#countOthers(1);
    }, this.#ages.everyMs);
  }

  /** `mine`: how often this process listens. A Redis that does not report a number counts as one with others. */
  async #countOthers(mine: 0 | 1): Promise<void> {
    const everybody = this.#prefix + everyProcess;
    const counts = await this.#client.pubSubShardNumSub([everybody]).catch(() => undefined);
    if ((counts?.[everybody] ?? 2) > mine) this.#othersAt = performance.now();
  }

  send(subject: Subject, text: string): void {
    // While nothing arrives, nothing is queued: the log has the events.
    if (this.isHeard && this.#client.isReady)
      this.#write(this.#prefix + subject, this.#signatures.sign(subject, text));
  }

  #write(subject: string, text: string): void {
    this.#client.sPublish(subject, text).catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  async listen(subject: Subject): Promise<void> {
    this.#subjects.add(subject);
    if (this.#client.isReady) await this.#subscribe(this.#prefix + subject);
  }

  leave(subject: Subject): void {
    this.#subjects.delete(subject);
    if (this.#client.isReady) void this.#unsubscribe(this.#prefix + subject);
  }

  /**
   * Compares the subscriptions with the wanted ones. The client renews those that Redis had confirmed, but not one that
   * was pending when the connection broke, nor changes since then.
   */
  #tellSubjects(): void {
    const wanted = new Set([...this.#subjects].map((subject) => this.#prefix + subject));
    const listened = this.#client.getPubSubListeners("SHARDED");
    for (const name of wanted) if (!listened.has(name)) void this.#subscribe(name);
    for (const name of [this.#pulse, this.#arrivals]) wanted.add(name);
    for (const name of listened.keys()) if (!wanted.has(name)) void this.#unsubscribe(name);
  }

  async #subscribe(name: string): Promise<void> {
    await this.#client
      .sSubscribe(name, this.#takeFrom)
      .catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  /** Names the listener, so that the client keeps a channel that was subscribed to again meanwhile. */
  async #unsubscribe(name: string): Promise<void> {
    await this.#client
      .sUnsubscribe(name, this.#takeFrom)
      .catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  #take(subject: Subject, line: string): void {
    if (line.startsWith(this.#me)) return;
    const end = line.indexOf("\n");
    const firstLine = line.slice(0, Math.max(end, 0));
    const text = line.slice(end + 1);
    if (!firstLine.includes(" ")) {
      if (this.#takesUnsigned) this.#hear(text);
      else this.#hasDroppedUnsigned = true;
      return;
    }
    const kind = this.#signatures.judge(subject, firstLine, text);
    if (kind === "new") this.#hear(text);
    else this.#tell(kind);
  }

  tellTime(at: number, asked: number): void {
    this.#signatures.tellTime(at, asked);
  }

  /** An unsigned text is reported only now: its sender may be an older process that had just started. */
  takeUnsigned(takes: boolean): void {
    this.#takesUnsigned = takes;
    // The texts dropped so far may have come from the older process that is known by now.
    if (takes) this.#hasDroppedUnsigned = false;
    else if (this.#hasDroppedUnsigned) this.#tell("forged");
  }

  #tell(why: "forged" | "late"): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#dropped(why);
  }

  onText(hear: (text: string) => void): void {
    this.#hear = hear;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.destroy();
  }
}
