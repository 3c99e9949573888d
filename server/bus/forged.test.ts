// T64: access to Redis lets nobody impersonate a process: lines that no process of this Hearth signed are dropped.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@redis/client";
import { until } from "../../tests/house/machine/waiting.ts";
import { hasRedis, type PrivateRedis, startRedis } from "../../tests/house/servers/redis.ts";
import { everybodyIn, serverStream } from "../place.ts";
import type { LoggedEvent } from "./bus.ts";
import { openRedis } from "./redis.ts";
import { SharedBus } from "./shared.ts";
import { encode } from "./wire.ts";

const place = everybodyIn(serverStream("01890000-0000-7000-8000-000000000001"));
const other = everybodyIn(serverStream("01890000-0000-7000-8000-000000000002"));

function event(seq: number, content: string, stream = place.stream): LoggedEvent {
  return {
    ...{ kind: "logged", stream, seq, audience: place.audience, forgets: [], version: undefined },
    ...{ frame: JSON.stringify({ type: "MESSAGE_CREATE", seq, data: { content } }), touches: [], ends: null },
  };
}

describe.skipIf(!hasRedis)("lines on Redis", () => {
  let redis: PrivateRedis;
  let attacker: Awaited<ReturnType<typeof connected>>;
  const open: SharedBus[] = [];
  let made = 0;
  let epoch: string;
  let alarms: number;
  let delays: number;
  let sender: SharedBus;
  let listener: SharedBus;
  let heard: string[];

  const connected = (url: string) => createClient({ url, RESP: 3 }).connect();
  const channelOf = (stream: string) => `hearth:${epoch}:${stream}`;

  beforeAll(async () => {
    redis = (await startRedis())!;
    attacker = await connected(redis.url);
  });
  afterAll(async () => {
    for (const bus of open) bus.close();
    attacker.destroy();
    await redis[Symbol.asyncDispose]();
  });

  async function opened(key: string, at = Date.now()): Promise<SharedBus> {
    const dropped = (why: "forged" | "late") => void (why === "forged" ? alarms++ : delays++);
    const bus = new SharedBus(
      await openRedis({ url: redis.url, epoch, key, at, dropped, hear: () => {} }),
      () => {},
    );
    open.push(bus);
    return bus;
  }

  beforeEach(async () => {
    epoch = `epoch-${++made}`;
    alarms = 0;
    delays = 0;
    heard = [];
    sender = await opened("the key of this Hearth");
    listener = await opened("the key of this Hearth");
    for (const { stream } of [place, other]) listener.follow(stream, 0);
    listener.subscribe((items) => {
      for (const item of items) if (item.kind === "logged") heard.push(item.frame);
    });
  });

  /** Resolves with the line as sent over Redis, once the listener has received it. */
  async function spoken(said: LoggedEvent): Promise<string> {
    const lines: string[] = [];
    await attacker.sSubscribe(channelOf(said.stream), (line) => lines.push(line));
    await until(() => {
      sender.publish([said]);
      return heard.includes(said.frame);
    }, "nothing is heard");
    await attacker.sUnsubscribe(channelOf(said.stream));
    return lines.at(-1) ?? "";
  }

  /** Resolves when everything published before has arrived. */
  async function settled(seq: number): Promise<void> {
    await spoken(event(seq, "the last"));
  }

  const forge = async (stream: string, line: string) =>
    expect(await attacker.sPublish(channelOf(stream), line)).toBeGreaterThan(0);

  test("a forged line with the next number is dropped, told of once, and the true event is heard", async () => {
    const line = await spoken(event(1, "true"));
    const end = line.indexOf("\n");
    const forged = encode([event(2, "forged")]);
    await forge(place.stream, `${line.slice(0, end)}\n${forged}`);
    await forge(place.stream, `${line.slice(0, 36)} 99 ${"A".repeat(43)}\n${forged}`);
    await forge(place.stream, `${crypto.randomUUID()} 1 ${"A".repeat(43)}\n${forged}`);
    await settled(2);
    expect(heard).toEqual([event(1, "true").frame, event(2, "the last").frame]);
    expect(alarms).toBe(1);
  });

  test("a true line is good once, and in its own stream alone", async () => {
    const line = await spoken(event(1, "true"));
    await forge(other.stream, line);
    await forge(place.stream, line);
    await settled(2);
    expect(heard).toEqual([event(1, "true").frame, event(2, "the last").frame]);
    expect(alarms).toBe(1);
  });

  test("a late line is not heard, is told of once, and proves no forgery", async () => {
    const line = await spoken(event(1, "true"));
    await spoken(event(2, "also true"));
    for (let i = 0; i < 3; i++) await forge(place.stream, line);
    await settled(3);
    expect(heard.map((frame) => JSON.parse(frame).seq)).toEqual([1, 2, 3]);
    expect([alarms, delays]).toEqual([0, 1]);
  });

  test("a recorded line is said again to no process that began after it, though its sender is gone", async () => {
    const line = await spoken(event(1, "true"));
    sender.close();
    listener.close();
    const later = Date.now() + 10_000;
    listener = await opened("the key of this Hearth", later);
    sender = await opened("the key of this Hearth", later);
    listener.follow(place.stream, 0);
    heard = [];
    listener.subscribe((items) => {
      for (const item of items) if (item.kind === "logged") heard.push(item.frame);
    });
    await spoken(event(2, "new"));
    await forge(place.stream, line);
    await settled(3);
    expect(heard).toEqual([event(2, "new").frame, event(3, "the last").frame]);
    expect(alarms).toBe(0);
  });

  test("a process with another key is not heard", async () => {
    const stranger = await opened("another key");
    await spoken(event(1, "true"));
    await until(() => {
      stranger.publish([event(2, "from a stranger")]);
      return alarms > 0;
    }, "the stranger is not noticed");
    await settled(3);
    expect(heard).toEqual([event(1, "true").frame, event(3, "the last").frame]);
  });

  test("an unsigned line counts only while a release that signs nothing is alive", async () => {
    await spoken(event(1, "true"));
    const unsigned = (seq: number) => `${crypto.randomUUID()}\n${encode([event(seq, "unsigned")])}`;
    await forge(place.stream, unsigned(2));
    await settled(3);
    listener.takeUnsigned(true);
    expect(alarms).toBe(0);
    await forge(place.stream, unsigned(4));
    await settled(5);
    // The unsigned line was dropped before that release was known, so it does not count.
    listener.takeUnsigned(false);
    expect(alarms).toBe(0);
    await forge(place.stream, unsigned(6));
    await settled(7);
    listener.takeUnsigned(false);
    expect(heard.map((frame) => JSON.parse(frame).seq)).toEqual([1, 3, 4, 5, 7]);
    expect(alarms).toBe(1);
  });

  test("a release that signs nothing reads a signed line: what follows the first line break is the text", async () => {
    const said = event(1, "true");
    const line = await spoken(said);
    expect(line.slice(line.indexOf("\n") + 1)).toBe(encode([said]));
    expect(line.indexOf("\n")).not.toBe(36);
  });

  test("a pulse that nobody sent keeps no process believing that Redis is there", async () => {
    await spoken(event(1, "true"));
    const pulses = await attacker.pubSubShardChannels(channelOf("pulse:*"));
    expect(pulses.length).toBe(2);
    for (const channel of pulses)
      for (const text of ["Infinity", "NaN", "1e300", "x", ""]) await attacker.sPublish(channel, text);
    redis.freeze();
    await until(() => !listener.isCarried && !sender.isCarried, "they take Redis to be there");
    redis.thaw();
    await until(() => listener.isCarried && sender.isCarried, "they do not come back");
  });
});
