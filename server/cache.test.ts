// The bounded cache: what it keeps, what it evicts, and that a load overtaken by a change is not kept.
import { describe, expect, test } from "bun:test";
import { Cache } from "./cache.ts";

function counted<V>(value: V) {
  const load = {
    calls: 0,
    async run() {
      load.calls++;
      return value;
    },
  };
  return load;
}

describe("remembering", () => {
  test("loads once, also when many ask at the same time", async () => {
    const cache = new Cache<string>(10);
    const load = counted("value");
    expect(await Promise.all([cache.get("a", load.run), cache.get("a", load.run)])).toEqual([
      "value",
      "value",
    ]);
    expect(await cache.get("a", load.run)).toBe("value");
    expect(load.calls).toBe(1);
    expect(cache.peek("a")).toBe("value");
  });

  test("keeps apart what belongs to different keys, and shows nothing that is still loading", async () => {
    const cache = new Cache<string>(10);
    const loading = cache.get("a", async () => "one");
    expect(cache.peek("a")).toBeUndefined();
    cache.put("b", "two");
    expect([await loading, cache.peek("b"), cache.peek("c")]).toEqual(["one", "two", undefined]);
  });

  test("does not keep a failure: the next one tries again", async () => {
    const cache = new Cache<string>(10);
    const failing = cache.get("a", () => Promise.reject(new Error("not now")));
    await expect(Promise.resolve(failing)).rejects.toThrow("not now");
    expect(await cache.get("a", async () => "now")).toBe("now");
  });

  test("null is a value like others", async () => {
    const cache = new Cache<string | null>(10);
    const load = counted(null);
    await cache.get("a", load.run);
    expect(await cache.get("a", load.run)).toBeNull();
    expect(load.calls).toBe(1);
  });
});

describe("forgetting", () => {
  test("what is dropped is loaded again", async () => {
    const cache = new Cache<number>(10);
    let value = 1;
    await cache.get("a", async () => value);
    value = 2;
    expect(await cache.get("a", async () => value)).toBe(1);
    cache.drop("a");
    expect(await cache.get("a", async () => value)).toBe(2);
    cache.clear();
    expect(cache.peek("a")).toBeUndefined();
  });

  test("a load that was under way when its key was dropped is answered, and not kept", async () => {
    const cache = new Cache<string>(10);
    const old = Promise.withResolvers<string>();
    const loading = cache.get("a", () => old.promise);
    cache.drop("a");
    const fresh = await cache.get("a", async () => "after the change");
    old.resolve("before the change");
    expect([await loading, fresh, cache.peek("a")]).toEqual([
      "before the change",
      "after the change",
      "after the change",
    ]);
  });

  test("a load that fails after its key was dropped takes nothing along", async () => {
    const cache = new Cache<string>(10);
    const old = Promise.withResolvers<string>();
    const loading = cache.get("a", () => old.promise);
    cache.drop("a");
    cache.put("a", "newer");
    old.reject(new Error("too late"));
    await expect(Promise.resolve(loading)).rejects.toThrow("too late");
    expect(cache.peek("a")).toBe("newer");
  });

  test("past the limit the oldest goes", async () => {
    const cache = new Cache<number>(3);
    for (let i = 0; i < 5; i++) cache.put(`key ${i}`, i);
    expect([0, 1, 2, 3, 4].map((i) => cache.peek(`key ${i}`))).toEqual([undefined, undefined, 2, 3, 4]);
  });

  test("past a large limit some go together, so that nobody looks for the oldest with every one that comes", () => {
    const cache = new Cache<number>(1000);
    const kept = () => Array.from({ length: 1100 }, (_, i) => i).filter((i) => cache.peek(`key ${i}`) === i);
    for (let i = 0; i < 1001; i++) cache.put(`key ${i}`, i);
    expect([kept().length, kept()[0]]).toEqual([981, 20]);
    for (let i = 1001; i < 1020; i++) cache.put(`key ${i}`, i);
    expect([kept().length, kept()[0]]).toEqual([1000, 20]);
  });

  test("what is put again under its own key pushes nobody out", () => {
    const cache = new Cache<number>(2);
    cache.put("a", 1);
    cache.put("b", 2);
    cache.put("b", 3);
    expect([cache.peek("a"), cache.peek("b")]).toEqual([1, 3]);
  });
});
