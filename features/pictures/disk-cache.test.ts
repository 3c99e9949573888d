// The disk cache of pictures: its bounds, eviction, restarts, and a disk that fails.
import { afterAll, afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../server/config/config.ts";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { DiskCache, type DiskCacheBounds } from "./disk-cache.ts";
import { checkPictures } from "./doctor.ts";
import type { FetchedPicture } from "./fetching.ts";

let temporary: TemporaryFolder;
let folder: string;
let logged: string[];
beforeEach(() => {
  temporary = temporaryFolder();
  folder = join(temporary.path, "pictures");
  logged = [];
});
afterEach(() => temporary.remove());
afterAll(() => setSystemTime());

const log = {
  warn: (_facts: object, line: string) => logged.push(`warn: ${line}`),
  info: (line: string) => logged.push(`info: ${line}`),
};
const open = (bounds: Partial<DiskCacheBounds> = {}) =>
  new DiskCache(folder, { mostBytes: 3000, ...bounds }, log as never);

const keyOf = (name: string) => Buffer.from(name).toString("hex").padEnd(64, "0");
const picture = (fill: number, length = 1000): FetchedPicture => ({
  format: "png",
  bytes: new Uint8Array(length).fill(fill),
  fetchedAt: Date.now(),
});
const keep = (cache: DiskCache, name: string, fill = 1, length = 1000) =>
  cache.keep(keyOf(name), picture(fill, length));

async function contentOf(cache: DiskCache, name: string): Promise<Uint8Array | undefined> {
  return (await cache.find(keyOf(name)))?.blob.bytes();
}

const files = () => readdirSync(folder).filter((name) => name !== "tmp");

test("what is kept is found with its bytes, its format and its time, readable by its owner only", async () => {
  const cache = open();
  expect(await cache.find(keyOf("a"))).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  const kept = picture(7);
  await cache.keep(keyOf("a"), kept);
  expect(await contentOf(cache, "a")).toEqual(kept.bytes);
  expect(await cache.find(keyOf("a"))).toMatchObject({
    format: "png",
    fetchedAt: kept.fetchedAt,
    size: 1000,
  });
  expect(await cache.find(keyOf("b"))).toBeUndefined();
  expect([await cache.bytes(), files(), readdirSync(join(folder, "tmp"))]).toEqual([
    1000,
    [`${keyOf("a")}.png`],
    [],
  ]);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(statSync(join(folder, `${keyOf("a")}.png`)).mode & 0o077).toBe(0);
});

describe("past the bound", () => {
  test("what was not used for longest goes first, whenever it was kept; sizes count, not numbers", async () => {
    const cache = open();
    for (const name of ["a", "b", "c"]) await keep(cache, name);
    await cache.find(keyOf("a"));
    await keep(cache, "d");
    expect(await cache.find(keyOf("b"))).toBeUndefined();
    for (const name of ["c", "a", "d"]) expect(await contentOf(cache, name)).toHaveLength(1000);
    await keep(cache, "e", 5, 2500);
    expect([await cache.bytes(), files()]).toEqual([2500, [`${keyOf("e")}.png`]]);
  });

  test("the order of use survives a restart, and a smaller bound holds from then on", async () => {
    const before = open();
    for (const name of ["a", "b", "c"]) {
      await keep(before, name);
      await Bun.sleep(5);
    }
    await before.find(keyOf("a"));
    const after = open();
    await keep(after, "d");
    expect(await after.find(keyOf("b"))).toBeUndefined();
    expect(await after.bytes()).toBe(3000);
    const smaller = open({ mostBytes: 2000 });
    expect(await smaller.bytes()).toBe(2000);
    expect(files().sort()).toEqual([`${keyOf("a")}.png`, `${keyOf("d")}.png`]);
  });

  test("so many pictures are kept and no more, however small they are", async () => {
    const cache = open({ mostPictures: 2 });
    for (const name of ["a", "b", "c"]) await keep(cache, name, 1, 10);
    expect([await cache.bytes(), await cache.find(keyOf("a"))]).toEqual([20, undefined]);
    expect(files().sort()).toEqual([`${keyOf("b")}.png`, `${keyOf("c")}.png`]);
  });

  test("a picture that is larger than all of it is not kept and drives nothing out; with no room nothing is kept", async () => {
    const cache = open();
    await keep(cache, "a");
    await keep(cache, "large", 1, 3001);
    expect([await cache.bytes(), files()]).toEqual([1000, [`${keyOf("a")}.png`]]);
    const none = open({ mostBytes: 0 });
    expect(await none.bytes()).toBe(0);
    await keep(none, "a");
    expect([files(), logged]).toEqual([[], []]);
  });
});

describe("what does not count", () => {
  test("a file that a crash left half-written is deleted; files of others are left alone", async () => {
    mkdirSync(join(folder, "tmp"), { recursive: true });
    writeFileSync(join(folder, "tmp", "half"), "half of it");
    writeFileSync(join(folder, "notes.txt"), "an operator's");
    writeFileSync(join(folder, `${keyOf("a")}.svg`), "<svg/>");
    writeFileSync(join(folder, "short.png"), "no key");
    mkdirSync(join(folder, `${keyOf("b")}.png`));
    const cache = open();
    expect(await cache.bytes()).toBe(0);
    for (const name of ["a", "b"]) expect(await cache.find(keyOf(name))).toBeUndefined();
    await keep(cache, "c", 1, 3000);
    expect(existsSync(join(folder, "tmp", "half"))).toBe(false);
    for (const name of ["notes.txt", `${keyOf("a")}.svg`, "short.png"])
      expect(readFileSync(join(folder, name))).not.toHaveLength(0);
  });

  test("a file that somebody deleted is missed, and so is the whole folder; the next picture is kept again", async () => {
    const cache = open();
    await keep(cache, "a");
    await keep(cache, "b");
    rmSync(join(folder, `${keyOf("a")}.png`));
    expect(await cache.find(keyOf("a"))).toBeUndefined();
    expect(await cache.bytes()).toBe(1000);
    rmSync(folder, { recursive: true });
    expect(await cache.find(keyOf("b"))).toBeUndefined();
    expect(await cache.bytes()).toBe(0);
    await keep(cache, "b", 2);
    expect((await contentOf(cache, "b"))?.[0]).toBe(2);
  });

  test("a picture of yesterday is not found any more, nor one from the future; a new one takes its place", async () => {
    const cache = open();
    await keep(cache, "a");
    try {
      for (const hours of [23, -23]) {
        setSystemTime(Date.now() + hours * 3600_000);
        expect(await contentOf(cache, "a")).toHaveLength(1000);
        setSystemTime();
      }
      // A later use does not make it fresh.
      for (const hours of [25, -25]) {
        setSystemTime(Date.now() + hours * 3600_000);
        expect(await cache.find(keyOf("a"))).toBeUndefined();
        expect(await open().find(keyOf("a"))).toBeUndefined();
        setSystemTime();
      }
    } finally {
      setSystemTime();
    }
    await cache.keep(keyOf("a"), { ...picture(9, 500), format: "gif" });
    expect(await cache.find(keyOf("a"))).toMatchObject({ format: "gif", size: 500 });
    expect([await cache.bytes(), files()]).toEqual([500, [`${keyOf("a")}.gif`]]);
  });

  test("of two files of one address, as a crash may leave them, the one used last counts, and the other goes", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${keyOf("a")}.png`), "older");
    await Bun.sleep(20);
    writeFileSync(join(folder, `${keyOf("a")}.gif`), "newer!");
    const cache = open();
    expect(await cache.bytes()).toBe(6);
    expect(await cache.find(keyOf("a"))).toMatchObject({ format: "gif" });
    expect(files()).toEqual([`${keyOf("a")}.gif`]);
  });
});

test("the doctor says how many are kept of how much, that none are, and that the folder cannot be used", async () => {
  const config = { dataDir: temporary.path, picturesBytes: 3 * 1024 * 1024 } as Config;
  const found = async (more: Partial<Config> = {}) => {
    const { state, says } = await checkPictures({ ...config, ...more });
    return `${state}: ${says}`;
  };
  expect(await found()).toBe("ok: None of other hosts are kept yet.");
  const cache = open({ mostBytes: config.picturesBytes });
  for (const name of ["a", "b"]) await keep(cache, name, 1, 512 * 1024 + 1000);
  expect(await found()).toBe("ok: 2 of other hosts are kept, 1.0 MiB of at most 3.");
  expect(await found({ picturesBytes: 0 })).toStartWith("off: ");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "no folder");
  expect(await found()).toMatch(/^note: .* cannot be used, so each picture is fetched anew: /);
});

describe("a disk that takes no pictures", () => {
  test("is told once, and once when it takes them again; what was kept is found meanwhile", async () => {
    const cache = open();
    await keep(cache, "a");
    const drafts = join(folder, "tmp");
    rmSync(drafts, { recursive: true });
    writeFileSync(drafts, "no folder");
    await keep(cache, "b");
    await keep(cache, "c");
    expect(await contentOf(cache, "a")).toHaveLength(1000);
    expect(await cache.find(keyOf("b"))).toBeUndefined();
    rmSync(drafts);
    await keep(cache, "d");
    await keep(cache, "e");
    expect(logged).toEqual(["warn: pictures cannot be kept", "info: pictures are kept again"]);
    expect(files().sort()).toEqual(["a", "d", "e"].map((name) => `${keyOf(name)}.png`));
  });

  test("is one that has no room beside what must stay free", async () => {
    const cache = open({ reserve: 2 ** 60 });
    await keep(cache, "a");
    expect([await cache.bytes(), files(), logged]).toEqual([0, [], ["warn: pictures cannot be kept"]]);
  });

  test("is one whose folder is a file: nothing is found, nothing is kept, and nothing fails", async () => {
    writeFileSync(folder, "no folder");
    const cache = open();
    expect(await cache.find(keyOf("a"))).toBeUndefined();
    await keep(cache, "a");
    expect(await cache.bytes()).toBe(0);
    expect(logged).toEqual(["warn: the kept pictures cannot be read", "warn: pictures cannot be kept"]);
  });
});

test("what waits to be written is bounded: past 32 MiB pictures are not kept, and later ones are", async () => {
  const mebibytes = 1024 * 1024;
  const cache = open({ mostBytes: 100 * mebibytes });
  const names = ["a", "b", "c", "d", "e"];
  await Promise.all(names.map((name) => keep(cache, name, 1, 8 * mebibytes)));
  expect(await cache.bytes()).toBe(32 * mebibytes);
  await keep(cache, "e", 1, 8 * mebibytes);
  expect(await cache.bytes()).toBe(40 * mebibytes);
});

test("once it is closed nothing more is written, and nothing is said about it", async () => {
  const cache = open({ mostBytes: 100_000 });
  const keeping = ["a", "b", "c", "d", "e"].map((name) => keep(cache, name));
  cache.close();
  await Promise.all(keeping);
  expect(files().length).toBeLessThan(5);
  const before = files();
  await keep(cache, "f");
  expect([files(), logged]).toEqual([before, []]);
});
