// A log that was lost in part is told from one that is whole, by SQLite's own checksums.
import { Database as SQLite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/folder.ts";
import { isWhole } from "./wal-check.ts";

let folder: TemporaryFolder;
let file: string;
let log: Buffer;
let frames: number;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, "copy-wal");
  const original = join(folder.path, "some.db");
  const database = new SQLite(original);
  database.run("pragma journal_mode = wal");
  database.run("create table notes (text)");
  for (let i = 0; i < 20; i++) database.run("insert into notes values (?)", [`note ${i}`.repeat(500)]);
  frames = database.query<{ log: number }, []>("pragma wal_checkpoint(noop)").get()?.log ?? 0;
  log = readFileSync(`${original}-wal`);
  database.close();
});
afterEach(() => folder.remove());

function isWholeWith(content: Buffer, count = frames): boolean {
  writeFileSync(file, content);
  return isWhole(file, count);
}

function damaged(at: number): Buffer {
  const copy = Buffer.from(log);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test("as SQLite wrote it, it is whole; with one bit changed, cut off, or never written, it is not", () => {
  expect(frames).toBeGreaterThan(20);
  expect(isWholeWith(log)).toBe(true);
  const places = [10, 40, 1000, Math.floor(log.length / 2), log.length - 1];
  expect(places.filter((at) => isWholeWith(damaged(at)))).toEqual([]);
  expect(isWholeWith(log.subarray(0, log.length - 4096))).toBe(false);
  expect(isWholeWith(Buffer.alloc(log.length))).toBe(false);
  expect(isWholeWith(Buffer.alloc(0))).toBe(false);
});

test("what stands behind the frames that count does not matter, and an empty log is whole", () => {
  expect(isWholeWith(damaged(log.length - 1), frames - 1)).toBe(true);
  expect(isWholeWith(Buffer.alloc(0), 0)).toBe(true);
});

test("one of many gigabytes is read, too", () => {
  writeFileSync(file, log);
  truncateSync(file, 8 * 1024 ** 3);
  expect(isWhole(file, frames)).toBe(true);
  expect(isWhole(file, frames + 1)).toBe(false);
});
