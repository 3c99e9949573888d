// Token buckets: their refill, their burst, and that keys do not pile up.
import { describe, expect, test } from "bun:test";
import { MemoryLimiter } from "./memory.ts";

const rates = { auth: { perSecond: 5, burst: 10 }, invites: { perSecond: 2, burst: 5 } };

function takeAll(limiter: MemoryLimiter, key: string, now: number, tries = 100): number {
  let taken = 0;
  for (let i = 0; i < tries; i++) if (limiter.take("auth", key, 1, now).allowed) taken++;
  return taken;
}

describe("a bucket", () => {
  test("gives its burst at once, and then what flows in", () => {
    const limiter = new MemoryLimiter(rates);
    expect(takeAll(limiter, "a", 0)).toBe(10);
    expect(takeAll(limiter, "a", 199)).toBe(0);
    expect(takeAll(limiter, "a", 200)).toBe(1);
    expect(takeAll(limiter, "a", 1200)).toBe(5);
  });

  test("never holds more than its burst, however long it rests", () => {
    const limiter = new MemoryLimiter(rates);
    takeAll(limiter, "a", 0);
    expect(takeAll(limiter, "a", 3_600_000)).toBe(10);
  });

  test("is one for each key and each class", () => {
    const limiter = new MemoryLimiter(rates);
    expect(takeAll(limiter, "a", 0)).toBe(10);
    expect(takeAll(limiter, "b", 0)).toBe(10);
    expect(limiter.take("invites", "a", 1, 0)).toMatchObject({ allowed: true, limit: 5, remaining: 4 });
  });

  test("counts a refused try for nothing: asking again and again keeps nobody out", () => {
    const limiter = new MemoryLimiter(rates);
    takeAll(limiter, "a", 0);
    for (let now = 0; now < 200; now++) expect(limiter.take("auth", "a", 1, now).allowed).toBe(false);
    expect(limiter.take("auth", "a", 1, 201).allowed).toBe(true);
  });

  test("says what is left, and when it is full or may be asked again", () => {
    const limiter = new MemoryLimiter(rates);
    expect(limiter.take("auth", "a", 1, 0)).toEqual({
      allowed: true,
      limit: 10,
      remaining: 9,
      resetAfterS: 0.2,
    });
    takeAll(limiter, "a", 0);
    expect(limiter.take("auth", "a", 1, 0)).toEqual({
      allowed: false,
      limit: 10,
      remaining: 0,
      resetAfterS: 0.2,
    });
    expect(limiter.take("auth", "a", 1, 100).resetAfterS).toBeCloseTo(0.1, 6);
  });

  test("of a class without a rate is a mistake of ours", () => {
    expect(() => new MemoryLimiter(rates).take("nothing", "a")).toThrow("nothing");
  });
});

test("who has been here longest and is at the limit just now is not freed while others can go", () => {
  const limiter = new MemoryLimiter(rates);
  limiter.take("auth", "at the limit", 1, 0);
  for (let i = 0; i < 49_000; i++) limiter.take("auth", `early ${i}`, 1, 0);
  takeAll(limiter, "at the limit", 100_000);
  for (let i = 0; i < 5000; i++) limiter.take("auth", `late ${i}`, 1, 100_000);
  expect(limiter.take("auth", "at the limit", 1, 100_000).allowed).toBe(false);
});

test("a flood of addresses makes room for itself, and frees nobody who is at the limit just now", () => {
  const limiter = new MemoryLimiter(rates);
  for (let i = 0; i < 49_000; i++) limiter.take("auth", `early ${i}`, 1, 0);
  takeAll(limiter, "at the limit", 100_000);
  for (let i = 0; i < 5000; i++) limiter.take("auth", `late ${i}`, 1, 100_000);
  expect(limiter.take("auth", "at the limit", 1, 100_000).allowed).toBe(false);
});

test("where everybody is at the limit, a new address takes the place of one of them, not of thousands", () => {
  const limiter = new MemoryLimiter(rates);
  for (let i = 0; i < 50_000; i++) takeAll(limiter, `at the limit ${i}`, 0, 10);
  limiter.take("auth", "new", 1, 0);
  const freed = [];
  for (let i = 49_999; i >= 0 && freed.length < 2; i--) {
    if (limiter.take("auth", `at the limit ${i}`, 1, 0).allowed) freed.push(i);
  }
  expect(freed).toHaveLength(1);
});
