// Copying uploads between places: all files named by Hearth, once, each read back, and none that is removed meanwhile.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFilename } from "../features/files/naming.ts";
import { type Blobs, type Data, type KeptBlobs, WrongBytes } from "../server/blobs/blobs.ts";
import { keptOnDisk, openDisk } from "../server/blobs/disk.ts";
import { type TemporaryFolder, temporaryFolder } from "../tests/house/machine/folder.ts";
import { type Copied, copyBlobs } from "./copy-blobs.ts";

let folder: TemporaryFolder;
let here: string;
let there: string;
let to: Blobs;
beforeEach(async () => {
  folder = temporaryFolder();
  [here, there] = [join(folder.path, "here"), join(folder.path, "there")];
  mkdirSync(here);
  to = await openDisk(there, 0);
});
afterEach(() => {
  to.close();
  folder.remove();
});

/** Writes this number of different 1 kB uploads to the source folder. Returns their names, sorted. */
function fill(count: number): string[] {
  const names = Array.from({ length: count }, () => newFilename("txt"));
  for (const name of names) writeFileSync(join(here, name), name.repeat(28).slice(0, 1000));
  return names.sort();
}

async function copied(from: KeptBlobs = keptOnDisk(here), into = to) {
  const counts: Copied = { copied: 0, bytes: 0, wereThere: 0, damaged: [] };
  const gone = await copyBlobs(from, into, counts);
  return { ...counts, gone };
}

const arrived = () =>
  readdirSync(there)
    .filter((name) => name !== "tmp")
    .sort();

test("all of them arrive as they are, once; drafts and foreign names stay", async () => {
  const names = fill(11);
  mkdirSync(join(here, "tmp"));
  for (const foreign of ["notes.txt", ".hidden", join("tmp", newFilename("txt"))])
    writeFileSync(join(here, foreign), "not an upload");
  expect(await copied()).toEqual({ copied: 11, bytes: 11_000, wereThere: 0, damaged: [], gone: [] });
  expect(arrived()).toEqual(names);
  for (const name of names)
    expect(readFileSync(join(there, name), "utf8")).toBe(readFileSync(join(here, name), "utf8"));
  expect(readdirSync(join(there, "tmp"))).toEqual([]);
  expect(await copied()).toEqual({ copied: 0, bytes: 0, wereThere: 11, damaged: [], gone: [] });
});

test("what is there with other bytes, or only a part of them, is written anew", async () => {
  const [whole = "", other = "", part = ""] = fill(3);
  writeFileSync(join(there, whole), readFileSync(join(here, whole)));
  writeFileSync(join(there, other), "x".repeat(1000));
  writeFileSync(join(there, part), readFileSync(join(here, part)).subarray(0, 500));
  expect(await copied()).toMatchObject({ copied: 2, bytes: 2000, wereThere: 1, damaged: [] });
  for (const name of [whole, other, part])
    expect(readFileSync(join(there, name))).toEqual(readFileSync(join(here, name)));
});

test("a copy that another Hearth's upload has marked as its own is written anew, for all to remove", async () => {
  const [name = ""] = fill(1);
  writeFileSync(join(there, name), readFileSync(join(here, name)));
  const owned: Blobs = {
    ...to,
    async find(asked) {
      const found = await to.find(asked);
      return found && { size: found.size, bytes: (...range) => found.bytes(...range), owner: "somebody" };
    },
  };
  expect(await copied(undefined, owned)).toMatchObject({ copied: 1, wereThere: 0 });
});

test("bytes that differ from what the store noted, or do not arrive as they left, are damaged and named", async () => {
  const [name = ""] = fill(1);
  const from = keptOnDisk(here);
  const noted: KeptBlobs = {
    ...from,
    async find(asked) {
      const found = await from.find(asked);
      return (
        found && { size: found.size, bytes: (...range) => found.bytes(...range), sha256: "0".repeat(64) }
      );
    },
  };
  expect(await copied(noted)).toMatchObject({ copied: 0, bytes: 0, damaged: [name] });
  expect([arrived(), readdirSync(join(there, "tmp"))]).toEqual([[], []]);
  const readBackAs = (bytes: () => Data): Blobs => ({
    ...to,
    async find(asked) {
      const found = await to.find(asked);
      return found && { size: found.size, bytes };
    },
  });
  const otherBytes = () => "x".repeat(1000);
  const wrongBytes = () => {
    throw new WrongBytes("it is not as it was written");
  };
  for (const bytes of [otherBytes, wrongBytes]) {
    expect(await copied(undefined, readBackAs(bytes))).toMatchObject({
      copied: 0,
      bytes: 0,
      damaged: [name],
    });
    rmSync(join(there, name));
  }
});

test("what went while it was copied is told, wherever it was by then, and stops nothing", async () => {
  const names = fill(9);
  const from = keptOnDisk(here);
  const [early = "", late = "", ...others] = names;
  const going: KeptBlobs = {
    all: from.all,
    async find(asked) {
      // Removed before it is looked up.
      if (asked === early) rmSync(join(here, asked), { force: true });
      const found = await from.find(asked);
      if (asked !== late || !found) return found;
      const bytes = () => {
        rmSync(join(here, asked), { force: true });
        throw new Error("it is gone");
      };
      return { size: found.size, bytes };
    },
  };
  const { gone, ...counts } = await copied(going);
  expect(gone.sort()).toEqual([early, late]);
  expect(counts).toMatchObject({ copied: 7, damaged: [] });
  expect(arrived()).toEqual(others);
});

test("a fault of the store ends it, after what was under way", async () => {
  fill(60);
  let drafts = 0;
  const failing: Blobs = {
    ...to,
    async draft() {
      if (drafts++ === 0) throw new Error("the store is away");
      return to.draft();
    },
  };
  await expect(copied(undefined, failing)).rejects.toThrow("the store is away");
  expect(drafts).toBeLessThan(30);
});
