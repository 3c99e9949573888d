// Carries texts between processes through Redis: a sharded one of its channels a stream, pipelined; what is lost is lost.
import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { CannotStart } from "../cannot-start.ts";
import { deadline } from "../deadline.ts";
import { everyProcess } from "../place.ts";
import type { Carrier } from "./shared.ts";
import type { Subject } from "./subjects.ts";

/** Sharded subjects came with this version. */
const oldestVersion = 7;
/** How long a start waits for Redis, in milliseconds. */
const startMs = 5000;
/** How often it is tried whether what is sent arrives, and how old the latest sign of it may be, in milliseconds. */
const pulseMs = 500;
const pulseAgeMs = 1500;
/** For so long a process that was there is taken to be there still, in milliseconds. */
const othersAgeMs = 2000;
/** Texts that may wait for Redis: some tenths of a second of a busy process. */
const mostWaiting = 10_000;
const longestPauseMs = 1000;

type Client = ReturnType<typeof connection>;

/** `hear` is told once when Redis is lost, with the reason, and once with undefined when it is back. */
export interface RedisOptions {
  url: string;
  /** Names the log, so that several Hearths can use one Redis. */
  epoch: string;
  hear: (trouble: string | undefined) => void;
}

/** Throws CannotStart with a sentence when Redis does not answer, refuses, or is too old. */
export async function openRedis({ url, epoch, hear }: RedisOptions): Promise<Carrier> {
  let hasBegun = false;
  // At first a refusal is the operator's to know of; later it passes.
  const pause = (retries: number, cause: Error) =>
    hasBegun ? Math.min(50 * 2 ** retries, longestPauseMs) : cause;
  const client = connection(url, pause);
  const troubles = new Troubles(hear);
  client.on("error", (error: Error) => troubles.note(reasonOf(error)));
  const inTime = deadline(startMs, () => new Error("it does not answer"));
  try {
    await inTime(client.connect());
    const version = /redis_version:(\d+)/.exec(await inTime(client.info("server")))?.[1] ?? "0";
    if (Number(version) < oldestVersion)
      throw new Error(`it is Redis ${version}, and version ${oldestVersion} or newer is needed`);
    const carrier = new RedisCarrier(client, `hearth:${epoch}:`, troubles);
    await inTime(carrier.begin());
    hasBegun = true;
    return carrier;
  } catch (error) {
    client.destroy();
    throw new CannotStart(`The Redis in REDIS_URL cannot be used: ${reasonOf(error as Error)}.`, {
      cause: error,
    });
  }
}

/** What the doctor wants to know of it. */
export interface RedisFacts {
  version: string;
  /** Whether its memory has a limit. */
  isBounded: boolean;
  /** What it does at the limit. */
  policy: string;
}

/** Throws CannotStart, as a start would: what is sent through it has to arrive. */
export async function lookAtRedis(url: string): Promise<RedisFacts> {
  (await openRedis({ url, epoch: "doctor", hear: () => {} })).close();
  return asked(url, async (client) => {
    const facts = `${await client.info("server")}\n${await client.info("memory")}`;
    const fact = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(facts)?.[1] ?? "";
    return {
      version: fact("redis_version"),
      isBounded: Number(fact("maxmemory")) > 0,
      policy: fact("maxmemory_policy"),
    };
  });
}

/** Its time, in milliseconds since 1970. */
export function timeOfRedis(url: string): Promise<number> {
  return asked(url, async (client) => {
    const [seconds, micros] = await client.sendCommand<[string, string]>(["TIME"]);
    return Number(seconds) * 1000 + Number(micros) / 1000;
  });
}

async function asked<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = connection(url, (_, cause) => cause);
  client.on("error", () => {});
  const inTime = deadline(startMs, () => new Error("it does not answer"));
  try {
    await inTime(client.connect());
    return await inTime(ask(client));
  } finally {
    client.destroy();
  }
}

function connection(url: string, reconnectStrategy: (retries: number, cause: Error) => number | Error) {
  return createClient({
    url,
    commandsQueueMaxLength: mostWaiting,
    // With it a connection that hears can send, too, and what comes in wakes the process once.
    RESP: 3,
    socket: { connectTimeout: startMs, keepAlive: true, reconnectStrategy },
  });
}

function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || "the connection was refused";
}

/** Told once when it begins and once when it ends. */
class Troubles {
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

class RedisCarrier implements Carrier {
  readonly #client: Client;
  readonly #prefix: string;
  /** What a process says here when it comes. */
  readonly #arrivals: string;
  readonly #troubles: Troubles;
  /** The first line of every text tells whose it is. */
  readonly #me = randomUUID();
  #hear: (text: string) => void = () => {};
  /** When the latest pulse that has arrived was sent. */
  #pulsedAt = Number.NEGATIVE_INFINITY;
  /** When another process was there last. */
  #othersAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(client: Client, prefix: string, troubles: Troubles) {
    this.#client = client;
    this.#prefix = prefix;
    this.#arrivals = `${prefix}arrivals`;
    this.#troubles = troubles;
    // Others may have counted while this one was away.
    client.on("ready", () => this.#write(this.#arrivals, this.#me));
  }

  get isUp(): boolean {
    return performance.now() - this.#pulsedAt < pulseAgeMs;
  }

  get isHeard(): boolean {
    return this.isUp && performance.now() - this.#othersAt < othersAgeMs;
  }

  get trouble(): string | undefined {
    return this.isUp ? undefined : "Redis is away: other processes are heard within a second";
  }

  /** Resolves when what is sent arrives. */
  async begin(): Promise<void> {
    const arrived = Promise.withResolvers<void>();
    const pulse = `${this.#prefix}pulse:${this.#me}`;
    await this.#client.sSubscribe(pulse, (sentAt) => {
      this.#pulsedAt = Math.max(this.#pulsedAt, Number(sentAt));
      arrived.resolve();
    });
    await this.#client.sSubscribe(this.#arrivals, (who) => {
      if (who !== this.#me) this.#othersAt = performance.now();
    });
    this.#write(this.#arrivals, this.#me);
    const beat = () => {
      this.#troubles.tell(this.isUp);
      if (!this.#client.isReady) return;
      // One that waits says as much as many, and is late by as much as what waits before it.
      this.#write(pulse, String(performance.now()));
      void this.#countOthers(1);
    };
    this.#write(pulse, String(performance.now()));
    await Promise.all([arrived.promise, this.#countOthers(0)]);
    this.#timer = setInterval(beat, pulseMs);
  }

  /** `mine`: how often this one listens. A Redis that does not say how many do counts as one to which others listen. */
  async #countOthers(mine: 0 | 1): Promise<void> {
    const everybody = this.#prefix + everyProcess;
    const counts = await this.#client.pubSubShardNumSub([everybody]).catch(() => undefined);
    if ((counts?.[everybody] ?? 2) > mine) this.#othersAt = performance.now();
  }

  send(subject: Subject, text: string): void {
    // While nothing arrives, nothing is kept for later: the log has it.
    if (this.isHeard && this.#client.isReady) this.#write(this.#prefix + subject, `${this.#me}\n${text}`);
  }

  #write(subject: string, text: string): void {
    this.#client.sPublish(subject, text).catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  async listen(subject: Subject): Promise<void> {
    await this.#client
      .sSubscribe(this.#prefix + subject, (text) => this.#take(text))
      .catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  leave(subject: Subject): void {
    this.#client
      .sUnsubscribe(this.#prefix + subject)
      .catch((error: Error) => this.#troubles.note(reasonOf(error)));
  }

  #take(text: string): void {
    const end = text.indexOf("\n");
    if (end !== this.#me.length || !text.startsWith(this.#me)) this.#hear(text.slice(end + 1));
  }

  onText(hear: (text: string) => void): void {
    this.#hear = hear;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.destroy();
  }
}
