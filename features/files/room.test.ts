// Limits of uploads: 64 at once in all, and none while the disk has too little space left.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { soon } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { tryUpload } from "../../tests/house/scenes/files.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { Slots } from "./slots.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
});
afterAll(() => house.end());

test("of many people 64 upload at once; the next is told so, and an end makes room", async () => {
  const slots = new Slots();
  const ends: (() => void)[] = [];
  const hold = (who: string) => slots.hold(who, () => new Promise<void>((resolve) => ends.push(resolve)));
  const under = Array.from({ length: 64 }, (_, i) => hold(`person ${i}`));
  expect(slots.taken).toBe(64);
  expect(await soon(hold("one more").catch((error) => error.code))).toBe("unavailable");
  ends.shift()?.();
  await under[0];
  const later = hold("one more");
  for (const end of ends) end();
  await Promise.all([...under, later]);
  expect(slots.taken).toBe(0);
});

test("while what must stay free would not, nothing is taken", async () => {
  const alice = await house.person("alice");
  const { blobs } = house.running.house;
  const { hasRoomFor } = blobs;
  const asked: number[] = [];
  blobs.hasRoomFor = async (bytes) => {
    asked.push(bytes);
    return false;
  };
  expect(verdict(await tryUpload(alice, "a.txt", "hello"))).toBe("503 unavailable");
  // Twice the largest file: a picture without its location data is a second copy.
  expect(asked).toEqual([2 * limits.upload_bytes_max]);
  blobs.hasRoomFor = hasRoomFor;
  expect((await tryUpload(alice, "a.txt", "hello")).status).toBe(201);
});
