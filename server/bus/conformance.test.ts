// The guarantees of a bus to its subscribers, tested on every implementation: in one process, and over Redis.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { type PrivateRedis, startRedis } from "../../tests/house/servers/redis.ts";
import { everybodyIn, serverStream } from "../place.ts";
import type { Bus, BusItem, LoggedEvent, Word } from "./bus.ts";
import { memoryBus } from "./memory.ts";
import { openRedis } from "./redis.ts";
import { SharedBus } from "./shared.ts";

interface Subject {
  bus: Bus;
  failures: unknown[];
}

const place = everybodyIn(serverStream("01890000-0000-7000-8000-000000000001"));
const person = "01890000-0000-7000-8000-000000000002";

function event(seq: number, more: Partial<LoggedEvent> = {}): LoggedEvent {
  return {
    kind: "logged",
    stream: place.stream,
    seq,
    frame: `{"type":"MESSAGE_CREATE","data":{"content":"line\\nbreak, ${seq}"}}`,
    audience: place.audience,
    forgets: [],
    version: undefined,
    touches: [],
    ends: null,
    ...more,
  };
}

function heardBy(bus: Bus): BusItem[] {
  const heard: BusItem[] = [];
  bus.subscribe((items) => heard.push(...items));
  return heard;
}

/** A pulse with long limits: items are sent even though the machine has stalled and no pulse has arrived meanwhile. */
const steady = { everyMs: 500, ageMs: 300_000, othersAgeMs: 300_000 };

let redis: PrivateRedis | undefined;
const open: SharedBus[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
// Their pulses would be counted with the messages of later tests.
afterEach(() => {
  for (const bus of open.splice(0)) bus.close();
});
afterAll(async () => {
  await redis?.[Symbol.asyncDispose]();
});

async function overRedis(epoch: string, failures: unknown[], pulse = steady): Promise<SharedBus> {
  const carrier = await openRedis({
    url: redis?.url ?? "",
    epoch,
    key: "key",
    at: Date.now(),
    dropped: () => {},
    hear: () => {},
    pulse,
  });
  const bus = new SharedBus(carrier, (error) => failures.push(error));
  open.push(bus);
  return bus;
}

/** The heard items without the probe frames of `joined`, some of which may still be on their way. */
function newsIn(heard: readonly BusItem[]): BusItem[] {
  return heard.filter((item) => item.kind !== "live" || item.frame !== "{}");
}

let made = 0;
const implementations: Record<string, (failures: unknown[]) => Promise<Bus>> = {
  "in memory": async (failures) => memoryBus((error) => failures.push(error)),
  "over Redis": (failures) => overRedis(`epoch-${++made}`, failures),
};

/** Resolves when items that `from` publishes in the stream reach `to`. */
async function joined(from: Bus, to: Bus): Promise<void> {
  let isHeard = false;
  to.subscribe((items) => {
    isHeard ||= items.some((item) => item.kind === "live" && item.frame === "{}");
  });
  to.follow(place.stream);
  await until(() => {
    from.publish([{ kind: "live", to: place, frame: "{}" }]);
    return isHeard;
  }, "it is not followed");
}

const isThere = Bun.spawnSync(["which", "redis-server"]).success;

for (const [name, make] of Object.entries(implementations)) {
  describe.skipIf(name === "over Redis" && !isThere)(`a bus ${name}`, () => {
    async function subject(): Promise<Subject> {
      const failures: unknown[] = [];
      return { bus: await make(failures), failures };
    }

    test("its own process hears everything before publishing returns, in the order of the items and subscribers", async () => {
      const { bus } = await subject();
      const order: string[] = [];
      bus.subscribe((items) => order.push(...items.map((item) => `first ${item.kind}`)));
      bus.subscribe((items) => order.push(...items.map((item) => `second ${item.kind}`)));
      bus.publish([event(1), { kind: "dropped", cache: "names", key: "*" }, { kind: "lost" }]);
      expect(order).toEqual([
        "first logged",
        "first dropped",
        "first lost",
        "second logged",
        "second dropped",
        "second lost",
      ]);
    });

    test("a word is for other processes alone", async () => {
      const { bus } = await subject();
      const heard = heardBy(bus);
      bus.tell({ kind: "word", to: "notes", data: { one: 1 } });
      bus.publish([event(1)]);
      expect(heard).toEqual([event(1)]);
    });

    test("a subscriber that throws keeps nobody from hearing", async () => {
      const { bus, failures } = await subject();
      const broken = new Error("broken");
      bus.subscribe(() => {
        throw broken;
      });
      const heard = heardBy(bus);
      bus.publish([event(1)]);
      expect([heard, failures]).toEqual([[event(1)], [broken]]);
    });

    test("no event of a stream that is followed is heard twice", async () => {
      const { bus } = await subject();
      const heard = heardBy(bus);
      bus.follow(place.stream, 0);
      bus.publish([event(1)]);
      bus.publish([event(2)]);
      expect(heard).toEqual([event(1), event(2)]);
    });
  });
}

describe.skipIf(!isThere)("between two processes over Redis", () => {
  async function two(): Promise<[SharedBus, SharedBus]> {
    const epoch = `epoch-${++made}`;
    const both: [SharedBus, SharedBus] = [await overRedis(epoch, []), await overRedis(epoch, [])];
    await joined(...both);
    return both;
  }

  test("an event that comes by two ways, or after a later one, is heard once", async () => {
    const [bus] = await two();
    bus.follow(place.stream, 0);
    const heard = heardBy(bus);
    bus.publish([event(1)]);
    bus.take([event(1), event(3), event(2), event(3)]);
    expect(heard).toEqual([event(1), event(3), event(2)]);
  });

  test("a live frame that was noted, too, is heard once; one that was not may come again", async () => {
    const [bus, other] = await two();
    const heard = heardBy(other);
    const joins: BusItem = { kind: "live", to: place, frame: '{"type":"VOICE_JOIN"}', id: "one" };
    const types: BusItem = { kind: "live", to: place, frame: '{"type":"TYPING_START"}' };
    const renamed: BusItem = {
      ...{ kind: "round", about: person, serverIds: ["a"], type: "USER_UPDATE", ts: "now", json: "{}" },
      id: "two",
    };
    const items = [joins, types, renamed];
    bus.publish(items);
    await until(() => newsIn(heard).length >= items.length, "not all is heard");
    other.take(items);
    expect<BusItem[]>(newsIn(heard)).toEqual([...items, types]);
  });

  test("what one process publishes, another hears in that order, exactly as it was", async () => {
    const [bus, other] = await two();
    const heard = heardBy(other);
    const items: BusItem[] = [
      event(1, { forgets: ["roles"], version: 7, touches: [person, "role:x"], ends: person }),
      { kind: "live", to: place, frame: '{"type":"TYPING_START"}', exceptUserId: person },
      event(2, { forgets: "*", touches: ["*"], ends: "*" }),
      { kind: "dropped", cache: "pages", key: "a", stream: place.stream },
    ];
    bus.publish(items.slice(0, 2));
    for (const item of items.slice(2)) bus.publish([item]);
    await until(() => newsIn(heard).length >= items.length, "not all is heard");
    expect<BusItem[]>(newsIn(heard)).toEqual(items);
  });

  test("what concerns every process reaches every process, whatever it follows", async () => {
    const [bus, other] = await two();
    const heard = heardBy(other);
    const items: BusItem[] = [
      { kind: "dropped", cache: "sessions", key: "hash" },
      { kind: "sessions-ended", userId: person, sessionIds: ["one"] },
      {
        kind: "round",
        about: person,
        serverIds: ["a", "b"],
        type: "PRESENCE_UPDATE",
        ts: "now",
        json: "{}",
      },
    ];
    const word: Word = { kind: "word", to: "notes", data: { of: ["one", 2] } };
    bus.publish(items);
    bus.tell(word);
    await until(() => newsIn(heard).length > items.length, "not all is heard");
    expect<BusItem[]>(newsIn(heard)).toEqual([...items, word]);
  });

  test("of streams that are not followed comes only what touches people whose own are, and that once", async () => {
    const [bus, other] = await two();
    other.follow(`person:${person}`, 0);
    const elsewhere = everybodyIn(serverStream("01890000-0000-7000-8000-000000000009"));
    const heard = heardBy(other);
    const joins = (seq: number) => event(seq, { ...elsewhere, touches: [person] });
    // Only the carrier knows where a subscription begins: earlier items are recovered from the log.
    await until(() => {
      bus.publish([joins(1)]);
      return heard.some((item) => item.kind === "logged");
    }, "the event does not come");
    bus.publish([event(2, { ...elsewhere }), joins(3), joins(3), event(1)]);
    await until(
      () => heard.some((item) => item.kind === "logged" && item.stream === place.stream),
      "all comes",
    );
    expect<BusItem[]>(heard.filter((item) => item.kind === "logged")).toEqual([joins(1), joins(3), event(1)]);
  });

  test("what touches more people than can be told one by one is heard by every process, and once", async () => {
    const [bus, other] = await two();
    other.follow(`person:${person}`, 0);
    const elsewhere = everybodyIn(serverStream("01890000-0000-7000-8000-000000000009"));
    const heard = heardBy(other);
    const others = Array.from({ length: 60 }, (_, i) => `somebody ${i}`);
    const joins = event(1, { ...elsewhere, touches: others });
    bus.publish([joins, event(2)]);
    await until(() => heard.some((item) => item.kind === "logged" && item.seq === 2), "nothing comes");
    bus.publish([joins, event(3)]);
    await until(() => heard.some((item) => item.kind === "logged" && item.seq === 3), "no more comes");
    expect<BusItem[]>(heard.filter((item) => item.kind === "logged")).toEqual([joins, event(2), event(3)]);
  });

  test("of what waits for Redis no more than so much is kept, and a stream that is followed meanwhile is heard", async () => {
    const [bus, other] = await two();
    const heard = heardBy(other);
    const late = everybodyIn(serverStream("01890000-0000-7000-8000-000000000008"));
    redis?.freeze();
    for (let seq = 1; seq <= 15_000; seq++) bus.publish([event(seq)]);
    bus.follow(late.stream, 0);
    redis?.thaw();
    const here = heardBy(bus);
    await until(() => {
      other.publish([{ kind: "live", to: late, frame: '{"type":"TYPING_START"}' }]);
      return here.length > 0;
    }, "it is not followed");
    await until(() => {
      bus.publish([{ kind: "live", to: place, frame: '{"type":"TYPING_START"}' }]);
      return heard.some((item) => item.kind === "live" && item.frame !== "{}");
    }, "nothing comes after them");
    const ofStream = heard.filter((item) => item.kind === "logged");
    expect(ofStream.length).toBeGreaterThan(5000);
    expect(ofStream.length).toBeLessThanOrEqual(10_000);
  });

  test("one that is alone sends nothing; it is heard by who comes, at once, and sends nothing when that one has gone", async () => {
    const epoch = `epoch-${++made}`;
    const usual = { everyMs: 100, ageMs: 300_000, othersAgeMs: 2000 };
    const bus = await overRedis(epoch, [], usual);
    const calls = async (command: string) => (await redis?.calls(command)) ?? 0;
    /**
     * How many of a hundred texts went to Redis, not counting the pulses. With each pulse the process asks Redis for
     * the number of listeners: after a few more of these questions, the texts have been sent as well.
     */
    const sent = async () => {
      const [before, asked] = [await calls("spublish"), await calls(question)];
      for (let i = 0; i < 100; i++) bus.publish([{ kind: "sessions-ended", userId: person, sessionIds: [] }]);
      await until(async () => (await calls(question)) >= asked + 3 * askers, "it asks nothing");
      return Math.floor(((await calls("spublish")) - before) / 50) * 50;
    };
    const question = "pubsub\\|shardnumsub";
    let askers = 1;
    expect(await sent()).toBe(0);
    const other = await overRedis(epoch, [], usual);
    askers = 2;
    expect(await sent()).toBe(100);
    const heard = heardBy(bus);
    other.tell({ kind: "word", to: "notes", data: 1 });
    await until(() => heard.length > 0, "the one that came is not heard");
    other.close();
    askers = 1;
    await until(async () => (await sent()) === 0, "it goes on sending");
  });
});
