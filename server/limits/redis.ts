// Token buckets in Redis, by its clock; each expires when it would be full again.
import { createHash } from "node:crypto";
import { createClient, defineScript, ErrorReply } from "@redis/client";
import type { Rate } from "../config/rate.ts";
import { deadline } from "../deadline.ts";
import type { Limiter, Limits } from "./limiter.ts";
import { type Buckets, type Drawn, SharedLimiter } from "./shared.ts";

/** How long a call waits for Redis, and how long each process then uses buckets of its own, in milliseconds. */
const drawMs = 300;
const awayMs = 1000;
const sweepMs = 250;
/** The most draws that may wait for Redis. */
const mostWaiting = 10_000;
const longestPauseMs = 1000;
/** How long a refusal is reported, in milliseconds: Redis may have room again while no draws are made. */
const refusalMs = 60_000;

type InTime = ReturnType<typeof deadline>;

/** A draw gets one in this many of the tokens left beyond those wanted, in advance. */
const share = 32;

const script = `
local perSecond, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(known[1]) or burst
tokens = math.min(burst, tokens + math.max(0, now - (tonumber(known[2]) or now)) / 1000 * perSecond)
local granted = wanted
if wanted > 0 then
  granted = math.min(math.floor(tokens), wanted + math.floor(math.max(0, tokens - wanted) / ${share}))
end
tokens = math.min(burst, tokens - granted)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / perSecond * 1000) + 1000)
return {granted, tostring(tokens)}`;

const draw = defineScript({
  SCRIPT: script,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, { perSecond, burst }: Rate, wanted: number) {
    parser.pushKey(key);
    parser.push(String(perSecond), String(burst), String(wanted));
  },
  transformReply: ([granted, left]: [number, string]): Drawn => ({ granted, left: Number(left) }),
});

function connection(url: string) {
  return createClient({
    url,
    scripts: { draw },
    commandsQueueMaxLength: mostWaiting,
    disableOfflineQueue: true,
    socket: { keepAlive: true, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, longestPauseMs) },
  });
}

export class RedisLimits implements Limits, Buckets {
  readonly #client: ReturnType<typeof connection>;
  readonly #prefix: string;
  readonly #limiters: SharedLimiter[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #hear: (trouble: string) => void;
  readonly #inTime: InTime;
  #awayUntil = 0;
  #refusal: { reason: string; at: number } | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  private constructor(
    client: ReturnType<typeof connection>,
    prefix: string,
    hear: (trouble: string) => void,
    inTime: InTime,
  ) {
    this.#inTime = inTime;
    this.#client = client;
    this.#prefix = prefix;
    this.#hear = hear;
    this.#timer = setInterval(() => {
      for (const limiter of this.#limiters) limiter.sweep();
    }, sweepMs);
  }

  /**
   * Waits a moment for Redis. Its loss and return are reported by the bus; `hear` is called once when it answers but
   * refuses writes. `patienceMs`: how long a call waits for Redis.
   */
  static async open(
    url: string,
    epoch: string,
    hear: (trouble: string) => void,
    patienceMs = drawMs,
  ): Promise<RedisLimits> {
    const inTime = deadline(patienceMs, () => new Error("Redis does not answer in time"));
    const client = connection(url);
    client.on("error", () => {});
    await inTime(client.connect()).catch(() => {});
    return new RedisLimits(client, `hearth:${epoch}:rate:`, hear, inTime);
  }

  of(name: string, rates: Record<string, Rate>): Limiter {
    const limiter = new SharedLimiter(name, rates, this);
    this.#limiters.push(limiter);
    return limiter;
  }

  async draw(name: string, rate: Rate, wanted: number): Promise<Drawn> {
    if (performance.now() < this.#awayUntil) throw new Error("Redis did not answer a moment ago");
    try {
      const drawn = await this.#inTime(this.#client.draw(this.#keyOf(name), rate, wanted));
      this.#refusal = undefined;
      return drawn;
    } catch (error) {
      if (error instanceof ErrorReply) this.#refused(error.message);
      this.#awayUntil = performance.now() + awayMs;
      throw error;
    }
  }

  putBack(name: string, rate: Rate, tokens: number): void {
    if (!this.#client.isReady || performance.now() < this.#awayUntil) return;
    this.#client.draw(this.#keyOf(name), rate, -tokens).catch(() => {});
  }

  get trouble(): string | undefined {
    const { reason, at } = this.#refusal ?? {};
    if (reason === undefined || performance.now() - (at ?? 0) > refusalMs) return undefined;
    return `Redis takes nothing, and each process counts limits on rates for itself: ${reason}`;
  }

  #refused(message: string): void {
    const reason = message.startsWith("OOM") ? "its memory is full" : message.split(" ", 1).join("");
    const at = performance.now();
    this.#refusal = { reason, at };
    // Near its memory limit Redis may accept a write now and then.
    if (at - this.#toldAt > refusalMs) this.#hear(reason);
    this.#toldAt = at;
  }

  /** Names hold addresses and secrets, so Redis only gets their hashes. */
  #keyOf(name: string): string {
    return this.#prefix + createHash("sha256").update(name).digest("base64url");
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.destroy();
  }
}
