// A log that was lost in part is told from one that is whole, by SQLite's own checksums.
import { Database as SQLite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/house/folder.ts";
import { isWhole } from "./wal-check.ts";

function logOf(commits: number): { log: Buffer; frames: number } {
  const folder = temporaryFolder();
  const file = join(folder.path, "some.db");
  const database = new SQLite(file);
  database.run("pragma journal_mode = wal");
  database.run("create table notes (text)");
  for (let i = 0; i < commits; i++) database.run("insert into notes values (?)", [`note ${i}`.repeat(500)]);
  const { log: frames } = database.query<{ log: number }, []>("pragma wal_checkpoint(noop)").get() ?? {
    log: 0,
  };
  const log = readFileSync(`${file}-wal`);
  database.close();
  folder.remove();
  return { log, frames };
}

function damaged(log: Buffer, at: number): Buffer {
  const copy = Buffer.from(log);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test("as SQLite wrote it, it is whole; with one bit changed, cut off, or never written, it is not", () => {
  const { log, frames } = logOf(20);
  expect(frames).toBeGreaterThan(20);
  expect(isWhole(log, frames)).toBe(true);
  const places = [10, 40, 1000, Math.floor(log.length / 2), log.length - 1];
  expect(places.filter((at) => isWhole(damaged(log, at), frames))).toEqual([]);
  expect(isWhole(log.subarray(0, log.length - 4096), frames)).toBe(false);
  expect(isWhole(Buffer.alloc(log.length), frames)).toBe(false);
  expect(isWhole(Buffer.alloc(0), frames)).toBe(false);
});

test("what stands behind the frames that count does not matter, and an empty log is whole", () => {
  const { log, frames } = logOf(20);
  expect(isWhole(damaged(log, log.length - 1), frames - 1)).toBe(true);
  expect(isWhole(Buffer.alloc(0), 0)).toBe(true);
});
