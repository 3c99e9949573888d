// The map of few entries holds what a Map would, also where they become many.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { SmallMap } from "./small-map.ts";

test("whatever is set and deleted, it holds what a Map would", () => {
  const key = fc.nat(20);
  const step = fc.record({ key, isDeletion: fc.boolean(), value: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [small, map] = [new SmallMap<number, number>(), new Map<number, number>()];
      for (const { key, value, isDeletion } of steps) {
        if (isDeletion) small.delete(key);
        else small.set(key, value);
        if (isDeletion) map.delete(key);
        else map.set(key, value);
        expect(small.keys()).toEqual([...map.keys()]);
      }
      for (let key = 0; key <= 20; key++)
        expect([small.has(key), small.get(key)]).toEqual([map.has(key), map.get(key)]);
    }),
  );
});

test("entries can be deleted while one goes through the keys", () => {
  for (const count of [3, 30]) {
    const map = new SmallMap<number, string>();
    for (let key = 0; key < count; key++) map.set(key, "held");
    for (const key of map.keys()) map.delete(key);
    expect(map.keys()).toEqual([]);
  }
});
