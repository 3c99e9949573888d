// A Redis that was away: once it is back, it carries the streams that are followed by then, and no others. One that
// rejects the login is reported at the start.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@redis/client";
import { startOldRedis } from "../../tests/doubles/old-redis.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { hasRedis, type PrivateRedis, startRedis } from "../../tests/house/servers/redis.ts";
import { CannotStart } from "../cannot-start.ts";
import { everybodyIn, type StreamAudience, serverStream } from "../place.ts";
import { openRedis } from "./redis.ts";
import { SharedBus } from "./shared.ts";

const place = everybodyIn(serverStream("01890000-0000-7000-8000-000000000001"));
const other = everybodyIn(serverStream("01890000-0000-7000-8000-000000000002"));

/** Short ages, so that the loss of Redis is noticed soon. */
const pulse = { everyMs: 50, ageMs: 400, othersAgeMs: 2000 };

describe.skipIf(!hasRedis)("a Redis that comes back", () => {
  let redis: PrivateRedis;
  const open: SharedBus[] = [];
  let epoch: string;
  let made = 0;
  let speaker: SharedBus;
  let listener: SharedBus;
  let heard: StreamAudience[];
  let dropped: string[];
  /** The reports about each process's Redis: the reason when it is away, undefined when it is back. */
  let troubles: Map<SharedBus, (string | undefined)[]>;

  beforeAll(async () => {
    redis = (await startRedis())!;
  });
  afterAll(async () => {
    for (const bus of open) bus.close();
    await redis[Symbol.asyncDispose]();
  });

  async function opened(): Promise<SharedBus> {
    const told = (why: string) => void dropped.push(why);
    const reasons: (string | undefined)[] = [];
    const options = {
      url: redis.url,
      epoch,
      key: "key",
      at: Date.now(),
      dropped: told,
      hear: (reason: string | undefined) => void reasons.push(reason),
      pulse,
    };
    const bus = new SharedBus(await openRedis(options), () => {});
    troubles.set(bus, reasons);
    open.push(bus);
    return bus;
  }

  beforeEach(async () => {
    epoch = `epoch-${++made}`;
    heard = [];
    dropped = [];
    troubles = new Map();
    [speaker, listener] = [await opened(), await opened()];
    listener.subscribe((items) => {
      for (const item of items) if (item.kind === "live") heard.push(item.to);
    });
    listener.follow(place.stream, 0);
    await expectHeard(place);
  });

  /** Resolves when frames published in the place reach the listener. */
  async function expectHeard(where: StreamAudience): Promise<void> {
    const before = heard.length;
    await until(() => {
      speaker.publish([{ kind: "live", to: where, frame: '{"type":"TYPING_START"}' }]);
      return heard.slice(before).some(({ stream }) => stream === where.stream);
    }, "it is not listened to");
  }

  async function goneAndBack(meanwhile: () => void): Promise<void> {
    await redis.kill();
    await until(() => !speaker.isCarried && !listener.isCarried, "it is not known that Redis is away");
    meanwhile();
    redis.restart();
    await until(() => speaker.isCarried && listener.isCarried, "Redis is not back");
  }

  /** How many processes listen to the stream. */
  async function listening(stream: string): Promise<number> {
    const client = await createClient({ url: redis.url }).connect();
    const channel = `hearth:${epoch}:${stream}`;
    const counts = await client.pubSubShardNumSub([channel]);
    client.destroy();
    return Number(counts[channel]);
  }

  test("a stream that was left and followed again meanwhile is heard, and each line once", async () => {
    await goneAndBack(() => {
      for (let i = 0; i < 2; i++) {
        listener.keepOnly(() => false);
        listener.follow(place.stream, 0);
      }
    });
    await expectHeard(place);
    expect(dropped).toEqual([]);
  });

  test("that it is away, and that it is back, is told in turns, and why as long as it lasts", async () => {
    expect(speaker.trouble).toBeUndefined();
    await goneAndBack(() => {
      for (const bus of [speaker, listener]) expect(bus.trouble).toStartWith("Redis is away");
    });
    for (const reasons of troubles.values()) {
      await until(() => reasons.length > 0 && reasons.at(-1) === undefined, "it is not told");
      // A process that stalls for a moment reports both once more.
      for (const [i, reason] of reasons.entries()) expect(reason === undefined).toBe(i % 2 === 1);
    }
    await until(() => [speaker, listener].every(({ trouble }) => trouble === undefined), "it is still away");
  });

  test("a stream is heard that was followed when the connection was about to break", async () => {
    redis.freeze();
    listener.follow(other.stream, 0);
    // Long enough for the commands to be sent.
    await Bun.sleep(100);
    await goneAndBack(() => {});
    await expectHeard(other);
  });

  test("a stream that was left meanwhile is not listened to, and nothing is kept for each change", async () => {
    await goneAndBack(() => {
      for (let i = 0; i < 1000; i++) {
        listener.follow(other.stream, 0);
        listener.keepOnly(() => false);
      }
    });
    await until(async () => (await listening(place.stream)) === 0, "it is still listened to");
    expect(await listening(other.stream)).toBe(0);
    expect(await redis.calls("ssubscribe")).toBeLessThan(100);
  });
});

describe.skipIf(!hasRedis)("a Redis that REDIS_URL names wrongly", () => {
  async function refusal(url: string): Promise<unknown> {
    const nobody = { epoch: "none", key: "key", at: Date.now(), dropped: () => {}, hear: () => {} };
    return openRedis({ url, ...nobody }).then(
      (carrier) => carrier.close(),
      (error) => error,
    );
  }

  test("keeps the process from starting: by another password, or none, where one is needed", async () => {
    await using locked = (await startRedis("another"))!;
    const url = new URL(locked.url);
    expect(await refusal(url.href)).toBeUndefined();
    url.password = "swordfish";
    const wrong = await refusal(url.href);
    expect(wrong).toBeInstanceOf(CannotStart);
    expect(String(wrong)).toContain("The Redis in REDIS_URL cannot be used: WRONGPASS");
    expect(String(wrong)).not.toContain("swordfish");
    url.password = "";
    expect(String(await refusal(url.href))).toContain("The Redis in REDIS_URL cannot be used: NOAUTH");
  });

  test("keeps the process from starting where it is older than what is needed", async () => {
    await using old = await startOldRedis("6.2.14");
    const refused = await refusal(old.url);
    expect(refused).toBeInstanceOf(CannotStart);
    expect(String(refused)).toContain("it is Redis 6, and version 7 or newer is needed");
  });
});
