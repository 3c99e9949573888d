// Briefly cached values: made once for all callers, and made again when they expire.
import { expect, test } from "bun:test";
import { kept } from "./kept.ts";

test("all who ask while it is made, or while it is fresh, get the same; a failure is kept as long", async () => {
  let made = 0;
  const look = kept(60_000, async () => ++made);
  expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
  expect(await look()).toBe(1);

  let failed = 0;
  const fail = kept<number>(60_000, async () => {
    throw new Error(`failure ${++failed}`);
  });
  for (let i = 0; i < 3; i++) await expect(fail()).rejects.toThrow("failure 1");
});

test("it is made anew once it is no longer fresh, counted from when it was ready", async () => {
  let made = 0;
  let finish = () => {};
  const look = kept(0, () => {
    made++;
    return new Promise<number>((resolve) => {
      finish = () => resolve(made);
    });
  });
  const [one, two] = [look(), look()];
  await Bun.sleep(5);
  const three = look();
  finish();
  expect(await Promise.all([one, two, three])).toEqual([1, 1, 1]);
  const four = look();
  finish();
  expect(await four).toBe(2);
});
