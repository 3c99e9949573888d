// What both kinds of buckets promise, and what those in Redis promise to several processes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasRedis, type PrivateRedis, startRedis } from "../../tests/house/redis.ts";
import type { Limiter, Limits } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";
import { RedisLimits } from "./redis.ts";

const rates = { slow: { perSecond: 0.5, burst: 10 }, wide: { perSecond: 0.5, burst: 300 } };
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

/** So many processes' limiters of one name. */
async function together(count: number): Promise<Limiter[]> {
  const name = `limiter ${names++}`;
  const limiters: Limiter[] = [];
  for (let i = 0; i < count; i++) {
    const limits = await RedisLimits.open(redis?.url ?? "", "epoch");
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
  ["in Redis", hasRedis, async () => (await together(1))[0]!],
];

for (const [kind, isHere, make] of kinds) {
  describe.skipIf(!isHere)(`a bucket ${kind}`, () => {
    test("gives its burst and no more, tells what is left, and when there will be another", async () => {
      const limiter = await make();
      for (const remaining of [9, 8, 7]) {
        const taken = await limiter.take("slow", "a");
        expect(taken).toMatchObject({ allowed: true, limit: 10, remaining });
        expect(taken.resetAfterS).toBeCloseTo((10 - remaining) / 0.5, 0);
      }
      expect(await takeMany([limiter], "slow", "a", 20)).toBe(7);
      const refused = await limiter.take("slow", "a");
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.resetAfterS).toBeGreaterThan(1);
      expect(refused.resetAfterS).toBeLessThanOrEqual(2);
    });

    test("gives again what flowed in", async () => {
      const limiter = await make();
      await takeMany([limiter], "slow", "a", 20);
      const { resetAfterS } = await limiter.take("slow", "a");
      await Bun.sleep(resetAfterS * 1000 + 20);
      expect(await takeMany([limiter], "slow", "a", 3)).toBe(1);
    });

    test("is one for each key and each class", async () => {
      const limiter = await make();
      expect(await takeMany([limiter], "slow", "a", 20)).toBe(10);
      expect(await takeMany([limiter], "slow", "b", 20)).toBe(10);
      expect(await takeMany([limiter], "wide", "a", 20)).toBe(20);
    });

    test("takes back what was given", async () => {
      const limiter = await make();
      expect(await takeMany([limiter], "slow", "a", 9)).toBe(9);
      limiter.giveBack("slow", "a");
      expect(await takeMany([limiter], "slow", "a", 5)).toBe(2);
    });

    test("a class without a rate is a mistake of the program", async () => {
      const limiter = await make();
      expect(() => limiter.take("none", "a")).toThrow("no rate is set for none");
    });
  });
}

describe.skipIf(!hasRedis)("a bucket of three processes", () => {
  test("a small one gives exactly its burst, however they ask at once", async () => {
    expect(await takeMany(await together(3), "slow", "a", 200)).toBe(10);
  });

  test("a wide one gives its burst within a tenth when all ask, and when one does after all", async () => {
    const limiters = await together(3);
    const taken = await takeMany(limiters, "wide", "a", 400);
    expect(taken).toBeGreaterThanOrEqual(270);
    expect(taken).toBeLessThanOrEqual(301);
    const others = await together(3);
    for (const limiter of others) await limiter.take("wide", "a");
    const rest = await takeMany(others.slice(0, 1), "wide", "a", 400);
    expect(rest).toBeGreaterThanOrEqual(270);
    expect(rest).toBeLessThanOrEqual(298);
  });

  test("what one holds and does not use is others' again soon", async () => {
    const [first, second] = await together(2);
    await first!.take("wide", "a");
    await Bun.sleep(1400);
    expect(await takeMany([second!], "wide", "a", 400)).toBeGreaterThanOrEqual(299);
  });

  test("while Redis stands still, each goes by its own, and soon after all by one again", async () => {
    const limiters = await together(2);
    redis!.freeze();
    try {
      expect(await takeMany(limiters, "slow", "a", 40)).toBe(20);
    } finally {
      redis!.thaw();
    }
    await Bun.sleep(1200);
    expect(await takeMany(limiters, "slow", "b", 40)).toBe(10);
  });

  test("Redis is told neither keys nor names", async () => {
    const [limiter] = await together(1);
    await limiter!.take("slow", "a-secret");
    expect((await redis!.keys()).join(" ")).not.toMatch(/a-secret|slow/);
  });
});
