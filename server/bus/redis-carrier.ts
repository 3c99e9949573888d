// Carries texts between processes through Redis: a sharded one of its channels a stream, pipelined; what is lost is lost.
import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { everyProcess } from "../place.ts";
import type { Carrier } from "./shared.ts";
import { Signatures } from "./signature.ts";
import type { Subject } from "./subjects.ts";

/** How long a start waits for Redis, in milliseconds. */
export const startMs = 5000;
/** Texts that may wait for Redis: some tenths of a second of a busy process. */
const mostWaiting = 10_000;
export const longestPauseMs = 1000;

export type Client = ReturnType<typeof connection>;

/** In milliseconds. */
interface Pulse {
  /** How often one is sent, and how old the last one that arrived may be. */
  everyMs: number;
  ageMs: number;
  /** A process that was there counts as there for so long. */
  othersAgeMs: number;
}

const usualPulse: Pulse = { everyMs: 500, ageMs: 1500, othersAgeMs: 2000 };

/** `hear` is told once when Redis is lost, with the reason, and once with undefined when it is back. */
export interface RedisOptions {
  url: string;
  /** Names the log, so that several Hearths can use one Redis. */
  epoch: string;
  /** Signs what is sent: whoever else may write to this Redis does not know it. */
  key: string;
  /** What time it is by the clock of the database, in milliseconds since 1970. */
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
    // With version 3 a connection that listens can send, too, and several texts wake the process once.
    RESP: 3,
    socket: { connectTimeout: startMs, keepAlive: true, reconnectStrategy },
  });
}

export function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || "the connection was refused";
}

/** Told once when it begins and once when it ends. */
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
  /** The channel on which a process announces itself when it comes. */
  readonly #arrivals: string;
  readonly #troubles: Troubles;
  /** The id of this process, with which the first line of each of its texts begins. */
  readonly #me = randomUUID();
  /** The channel on which the process hears itself: as long as it does, texts arrive. */
  readonly #pulse: string;
  readonly #ages: Pulse;
  readonly #signatures: Signatures;
  readonly #dropped: RedisOptions["dropped"];
  readonly #told = new Set<"forged" | "late">();
  #takesUnsigned = false;
  #hasDroppedUnsigned = false;
  /** Subscribed subjects. Redis is told of changes only while it is connected: otherwise the client queues each of them. */
  readonly #subjects = new Set<Subject>();
  /** The same listener for all channels: with a second one for a channel the client would hand over each line twice. */
  readonly #takeFrom = (line: string, name: string): void =>
    this.#take(name.slice(this.#prefix.length) as Subject, line);
  #hear: (text: string) => void = () => {};
  /** When the latest pulse that has arrived was sent. */
  #pulsedAt = Number.NEGATIVE_INFINITY;
  /** When another process was there last. */
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
      // Others may have counted while this one was away.
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
      // Others may write here, too: a time that this process has not reached would count for ever.
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

  /** From now on it is told when Redis is lost, and when it is there. */
  watch(): void {
    this.#timer = setInterval(() => {
      this.#troubles.tell(this.isUp);
      if (!this.#client.isReady) return;
      // One that waits says as much as many, and is late by as much as what waits before it.
      this.#write(this.#pulse, String(performance.now()));
      void this.#countOthers(1);
    }, this.#ages.everyMs);
  }

  /** `mine`: how often this one listens. A Redis that does not say how many do counts as one to which others listen. */
  async #countOthers(mine: 0 | 1): Promise<void> {
    const everybody = this.#prefix + everyProcess;
    const counts = await this.#client.pubSubShardNumSub([everybody]).catch(() => undefined);
    if ((counts?.[everybody] ?? 2) > mine) this.#othersAt = performance.now();
  }

  send(subject: Subject, text: string): void {
    // While nothing arrives, nothing is kept for later: the log has it.
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
   * Compares the subscriptions with the wanted ones. The client renews those that Redis had confirmed; one that was under
   * way when the connection broke, and changes since then, are missing.
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

  /** An unsigned text is told of only now: its sender may be an older process that had just come. */
  takeUnsigned(takes: boolean): void {
    this.#takesUnsigned = takes;
    // What was dropped before may have come from the older process that is known by now.
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
