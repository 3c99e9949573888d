// The guarantees of both kinds of buckets, and those of the ones in Redis across several processes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { hasRedis, type PrivateRedis, startRedis } from "../../tests/house/servers/redis.ts";
import type { Limiter, Limits } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";
import { RedisLimits } from "./redis.ts";

const rates = {
  quick: { perSecond: 5, burst: 10 },
  // No tokens flow in during a test, even if its machine stalls for seconds.
  still: { perSecond: 0.01, burst: 10 },
  wide: { perSecond: 0.01, burst: 300 },
  // Some tokens flow in, so that a process draws again soon after it found the bucket empty.
  flowing: { perSecond: 0.5, burst: 300 },
};
/** Longer than any stall, in milliseconds: a process that times out on Redis falls back to its own buckets. */
const patientMs = 60_000;
const open: Limits[] = [];
let redis: PrivateRedis | undefined;
let names = 0;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(async () => {
  for (const limits of open) limits.close();
  await redis?.[Symbol.asyncDispose]();
});

/** Returns the limiters of `count` processes for one name. By default they wait for Redis as long as a server does. */
async function together(count: number, patienceMs?: number): Promise<Limiter[]> {
  const name = `limiter ${names++}`;
  const limiters: Limiter[] = [];
  for (let i = 0; i < count; i++) {
    const limits = await RedisLimits.open(redis?.url ?? "", "epoch", () => {}, patienceMs);
    open.push(limits);
    limiters.push(limits.of(name, rates));
  }
  return limiters;
}

async function takeMany(limiters: readonly Limiter[], rateClass: string, key: string, tries: number) {
  const taking = Array.from({ length: tries }, (_, i) => limiters[i % limiters.length]!.take(rateClass, key));
  return (await Promise.all(taking)).filter(({ allowed }) => allowed).length;
}

const kinds: [string, boolean, () => Promise<Limiter>][] = [
  ["in memory", true, async () => new MemoryLimiter(rates)],
  ["in Redis", hasRedis, async () => (await together(1, patientMs))[0]!],
];

for (const [kind, isHere, make] of kinds) {
  describe.skipIf(!isHere)(`a bucket ${kind}`, () => {
    test("gives its burst and no more, tells what is left, and when there will be another", async () => {
      const limiter = await make();
      for (const remaining of [9, 8, 7]) {
        const taken = await limiter.take("still", "a");
        expect(taken).toMatchObject({ allowed: true, limit: 10, remaining });
        expect(taken.resetAfterS).toBeCloseTo((10 - remaining) / 0.01, -2);
      }
      expect(await takeMany([limiter], "still", "a", 20)).toBe(7);
      const refused = await limiter.take("still", "a");
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.resetAfterS).toBeWithin(50, 101);
    });

    test("gives again what flowed in", async () => {
      const limiter = await make();
      let refused = await limiter.take("quick", "a");
      while (refused.allowed) refused = await limiter.take("quick", "a");
      const { resetAfterS } = refused;
      const begun = performance.now();
      await Bun.sleep(resetAfterS * 1000 + 20);
      const again = await takeMany([limiter], "quick", "a", 3);
      const lateS = (performance.now() - begun) / 1000 - resetAfterS;
      // More than one only if the machine stalled.
      expect(again).toBeWithin(1, 2 + Math.floor(lateS * rates.quick.perSecond));
    });

    test("is one for each key and each class", async () => {
      const limiter = await make();
      expect(await takeMany([limiter], "still", "a", 20)).toBe(10);
      expect(await takeMany([limiter], "still", "b", 20)).toBe(10);
      expect(await takeMany([limiter], "wide", "a", 20)).toBe(20);
    });

    test("takes back what was given", async () => {
      const limiter = await make();
      expect(await takeMany([limiter], "still", "a", 8)).toBe(8);
      limiter.giveBack("still", "a", await limiter.take("still", "a"));
      expect(await takeMany([limiter], "still", "a", 5)).toBe(2);
    });

    test("gives several at once or none of them, and tells when there will be so many", async () => {
      const limiter = await make();
      expect(await limiter.take("still", "a", 7)).toMatchObject({ allowed: true, remaining: 3 });
      const refused = await limiter.take("still", "a", 7);
      expect(refused.allowed).toBe(false);
      expect(refused.resetAfterS).toBeWithin(350, 401);
      expect(await takeMany([limiter], "still", "a", 9)).toBe(3);
    });

    test("counts a call that wants more than it can hold as one that wants all", async () => {
      const limiter = await make();
      expect(await limiter.take("still", "a", 20)).toMatchObject({ allowed: true, remaining: 0 });
      expect((await limiter.take("still", "a")).allowed).toBe(false);
    });

    test("lets a call of one count as several, or as one where too few are left", async () => {
      const limiter = await make();
      await limiter.take("still", "a");
      expect(await limiter.takeRest("still", "a", 7)).toMatchObject({ allowed: true, remaining: 3 });
      await limiter.take("still", "a");
      const refused = await limiter.takeRest("still", "a", 4);
      expect(refused.allowed).toBe(false);
      expect(refused.resetAfterS).toBeWithin(150, 201);
      expect(await takeMany([limiter], "still", "a", 9)).toBe(2);
    });

    test("lets a call of one count as all that it can hold", async () => {
      const limiter = await make();
      await limiter.take("still", "a");
      expect(await limiter.takeRest("still", "a", 20)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("a class without a rate is a mistake of the program", async () => {
      const limiter = await make();
      expect(() => limiter.take("none", "a")).toThrow("no rate is set for none");
    });
  });
}

describe.skipIf(!hasRedis)("a bucket of three processes", () => {
  test("a small one gives exactly its burst, however they ask at once", async () => {
    expect(await takeMany(await together(3, patientMs), "still", "a", 200)).toBe(10);
  });

  test("a wide one gives its burst within a tenth when all ask, and when one does after all", async () => {
    const limiters = await together(3, patientMs);
    const taken = await takeMany(limiters, "wide", "a", 400);
    expect(taken).toBeGreaterThanOrEqual(270);
    expect(taken).toBeLessThanOrEqual(300);
    const others = await together(3, patientMs);
    for (const limiter of others) await limiter.take("wide", "a");
    const rest = await takeMany(others.slice(0, 1), "wide", "a", 400);
    expect(rest).toBeGreaterThanOrEqual(270);
    expect(rest).toBeLessThanOrEqual(298);
  });

  test("what one holds is used before more is drawn, and the rest is others'", async () => {
    const [first, second] = await together(2, patientMs);
    await first!.take("still", "a", 3);
    // A call that was counted and given back.
    first!.giveBack("still", "a", await first!.take("still", "a"));
    expect(await first!.take("still", "a", 4)).toMatchObject({ allowed: true, remaining: 3 });
    expect(await takeMany([second!], "still", "a", 5)).toBe(3);
  });

  test("what one holds and does not use is others' again soon", async () => {
    await until(async () => {
      const [first, second] = await together(2);
      await first!.take("flowing", "a");
      await Bun.sleep(1400);
      return (await takeMany([second!], "flowing", "a", 400)) >= 299;
    }, "it keeps what it does not use");
  });

  test("while Redis stands still, each goes by its own, and soon after all by one again", async () => {
    const limiters = await together(2);
    redis!.freeze();
    try {
      expect(await takeMany(limiters, "still", "a", 40)).toBe(20);
    } finally {
      redis!.thaw();
    }
    // A new key each time, as the tokens of the previous one are used up.
    const isOne = async () => (await takeMany(limiters, "still", crypto.randomUUID(), 40)) === 10;
    await until(isOne, "each still goes by its own");
  });

  test("while Redis stands still, what is given back counts once", async () => {
    const [limiter] = await together(1);
    redis!.freeze();
    try {
      expect(await takeMany([limiter!], "still", "a", 8)).toBe(8);
      limiter!.giveBack("still", "a", await limiter!.take("still", "a"));
      expect(await takeMany([limiter!], "still", "a", 5)).toBe(2);
    } finally {
      redis!.thaw();
    }
  });

  test("what is given back after a while is not lost", async () => {
    const [slow, other] = await together(2, patientMs);
    const taken = await slow!.take("still", "a");
    await until(async () => (await other!.take("still", "a", 9)).allowed, "it keeps what it drew ahead");
    slow!.giveBack("still", "a", taken);
    expect((await slow!.take("still", "a")).allowed).toBe(true);
  });

  test("Redis keeps each until it would be full again, however slowly it fills, and no longer", async () => {
    for (const [rateClass, { perSecond, burst }] of Object.entries(rates)) {
      await redis!.flush();
      const [limiter] = await together(1, patientMs);
      await limiter!.take(rateClass, "a", burst);
      const [key = ""] = await redis!.keys();
      const untilFullMs = (burst / perSecond) * 1000;
      // The machine may stall this long meanwhile.
      expect(await redis!.lastsMs(key)).toBeWithin(untilFullMs - patientMs, untilFullMs + 1001);
    }
  });

  test("Redis is told neither keys nor names", async () => {
    const [limiter] = await together(1);
    await limiter!.take("quick", "a-secret");
    expect((await redis!.keys()).join(" ")).not.toMatch(/a-secret|quick/);
  });
});
