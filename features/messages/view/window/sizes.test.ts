// Row heights are reused where the same rows return.
import { expect, test } from "bun:test";
import type { CacheSnapshot } from "virtua";
import { noteSizes, sizesOf } from "./sizes.ts";

const snapshot = (...heights: number[]) => [heights, 40] as unknown as CacheSnapshot;
const rows = (...keys: string[]) => keys.map((key) => ({ key }));

test("a list that comes back knows how high its rows were, also where some are missing and others new", () => {
  noteSizes("kitchen", rows("a", "b", "c"), snapshot(20, -1, 60));
  expect(sizesOf("kitchen", rows("a", "b", "c"))).toEqual(snapshot(20, -1, 60));
  expect(sizesOf("kitchen", rows("c", "d"))).toEqual(snapshot(60, -1));
  expect(sizesOf("garden", rows("a"))).toBeUndefined();
});

test("of the twenty lists that were left last", () => {
  for (let i = 0; i <= 20; i++) noteSizes(`room ${i}`, rows("a"), snapshot(20));
  expect([sizesOf("room 0", rows("a")), sizesOf("room 1", rows("a"))]).toEqual([undefined, snapshot(20)]);
});
