// Blobs on disk: kept when they are whole, gone when they are not, and never the last byte of the disk.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/folder.ts";
import { deleteDrafts, openDisk } from "./disk.ts";

let temporary: TemporaryFolder;
let folder: string;
beforeAll(() => {
  temporary = temporaryFolder();
  folder = join(temporary.path, "uploads");
});
afterAll(() => temporary.remove());

const drafts = () => readdirSync(join(folder, "tmp"));
const bytes = (text: string) => new TextEncoder().encode(text);

test("a draft is kept under its name with everything that was written, readable by its owner only", async () => {
  const disk = await openDisk(folder);
  const draft = await disk.draft();
  await draft.write(bytes("hello "));
  await draft.write(bytes("world"));
  expect([drafts().length, draft.size]).toEqual([1, 11]);
  expect(await disk.find("greeting")).toBeNull();
  await draft.keep("greeting");
  await draft.discard();
  expect(drafts()).toEqual([]);
  const found = await disk.find("greeting");
  expect(found?.size).toBe(11);
  expect(await new Response(found?.bytes()).text()).toBe("hello world");
  expect(await new Response(found?.bytes(6, 7)).text()).toBe("wo");
  expect(statSync(join(folder, "greeting")).mode & 0o077).toBe(0);
  await disk.remove("greeting");
  await disk.remove("greeting");
  expect(await disk.find("greeting")).toBeNull();
});

test("a discarded draft leaves nothing, however often it is discarded", async () => {
  const disk = await openDisk(folder);
  const draft = await disk.draft();
  await draft.write(bytes("never mind"));
  await draft.discard();
  await draft.discard();
  expect(drafts()).toEqual([]);
});

test("what a crash left half-way is deleted at the next start; what was kept stays", async () => {
  writeFileSync(join(folder, "kept"), "kept");
  writeFileSync(join(folder, "tmp", "left"), "half of it");
  mkdirSync(join(folder, "tmp", "odd"));
  await deleteDrafts(folder);
  expect(drafts()).toEqual([]);
  expect(readFileSync(join(folder, "kept"), "utf8")).toBe("kept");
});

test("there is no room when what must stay free would not", async () => {
  expect(await (await openDisk(folder, 0)).hasRoomFor(1)).toBe(true);
  expect(await (await openDisk(folder, 0)).hasRoomFor(2 ** 60)).toBe(false);
  expect(await (await openDisk(folder, 2 ** 60)).hasRoomFor(1)).toBe(false);
});

test("folders are not blobs", async () => {
  expect(await (await openDisk(folder)).find("tmp")).toBeNull();
});

test("all that is kept is named, with when it was written; drafts and folders are not", async () => {
  const other = join(temporary.path, "other");
  const disk = await openDisk(other);
  const draft = await disk.draft();
  for (const name of ["one", "two"]) {
    const kept = await disk.draft();
    await kept.write(bytes(name));
    await kept.keep(name);
  }
  const found = await Array.fromAsync(disk.all());
  expect(found.map(({ name }) => name).sort()).toEqual(["one", "two"]);
  for (const { writtenAt } of found) expect(Date.now() - writtenAt).toBeWithin(-1000, 60_000);
  await draft.discard();
});
