// The write-ahead log: partial loss is detected by SQLite's own checksums, a log that cannot be synced acknowledges
// nothing, and one that has grown is restarted.
import { Database as SQLite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { InDoubt } from "./database.ts";
import { keep } from "./instance.ts";
import { isWhole } from "./wal-check.ts";
import { WalSync } from "./wal-sync.ts";

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

test("where a sync fails, no commit counts as durable from then on, until the log is mended", async () => {
  const troubles: string[] = [];
  // A file that cannot be synced.
  const sync = new WalSync("/dev/null", {
    stalled: () => troubles.push("stalled"),
    failed: ({ message }) => troubles.push(message),
  });
  const commits = await Promise.allSettled([sync.synced(), sync.synced(), sync.synced()]);
  expect(commits.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  for (const each of commits) expect(each.status === "rejected" && each.reason).toBeInstanceOf(InDoubt);
  expect(troubles).toEqual([expect.stringContaining("EINVAL")]);
  expect([sync.isBroken, sync.isStalled]).toEqual([true, false]);
  expect(await sync.synced().catch((error) => error)).toBeInstanceOf(InDoubt);
  // No sync was tried for that one.
  expect(troubles).toHaveLength(1);
  sync.mended();
  expect(sync.isBroken).toBe(false);
  expect(await sync.synced().catch((error) => error)).toBeInstanceOf(InDoubt);
  expect([sync.isBroken, troubles.length]).toEqual([true, 2]);
  sync.close();
});

test("a log that has grown goes into the database file while people write, and begins anew", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  await house.quiet();
  const { database, config } = house.running.house;
  const beside = new SQLite(join(config.dataDir, "hearth.db"));
  const framesNow = () => {
    // A connection learns the log's length with its next read.
    beside.query("select count(*) from instance").all();
    const [now] = beside.query<{ log: number }, []>("pragma wal_checkpoint(noop)").all();
    return now?.log ?? Number.NaN;
  };
  let written = 0;
  const write = (length: number) =>
    database.transaction((db) => keep(db, "note", String(++written).padEnd(length, "x")));
  let most = 0;
  await until(
    async () => {
      await write(most < 1500 ? 100_000 : 10);
      const now = framesNow();
      most = Math.max(most, now);
      return most >= 1000 && now < most / 2;
    },
    "it only grows",
    15_000,
  );
  beside.close();
  await house.end();
});
