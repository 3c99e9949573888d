// Blobs on disk: kept when they are whole, gone when they are not, and never the last byte of the disk.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { deleteDrafts, keptOnDisk, openDisk } from "./disk.ts";

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
  for (const path of [join(folder, "greeting"), folder]) expect(statSync(path).mode & 0o077).toBe(0);
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

/** True if this command succeeds here; most of those that these tests use need root. */
const can = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const canMount = can("sh", "-c", "d=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d");
const canFix = can("sh", "-c", "f=$(mktemp) && chattr +i $f && chattr -i $f && rm $f");

test.skipIf(!canMount)("a full disk takes nothing, but removes: that makes room", async () => {
  const small = join(temporary.path, "small");
  mkdirSync(small);
  expect(can("mount", "-t", "tmpfs", "-o", "size=64k", "none", small)).toBe(true);
  try {
    const disk = await openDisk(small, 0);
    writeFileSync(join(small, "large"), new Uint8Array(40_000));
    const draft = await disk.draft();
    await expect(draft.write(new Uint8Array(40_000))).rejects.toMatchObject({ code: "unavailable" });
    await draft.discard();
    // The reason stays until the next trial write.
    expect(await disk.trouble()).toBe("the disk of the uploads is full");
    const heard: (string | undefined)[] = [];
    disk.onTrouble((trouble) => heard.push(trouble?.sentence));
    await disk.remove("large");
    expect(existsSync(join(small, "large"))).toBe(false);
    await until(() => heard.length === 2, "it takes nothing again");
    expect(heard).toEqual(["the disk of the uploads is full", undefined]);
    const again = await disk.draft();
    await again.write(new Uint8Array(40_000));
    await again.keep("another");
    expect(readdirSync(join(small, "tmp"))).toEqual([]);
    disk.close();
  } finally {
    can("umount", small);
  }
});

test.skipIf(!canFix)("a file that cannot be removed says nothing of the others", async () => {
  const some = join(temporary.path, "some");
  const disk = await openDisk(some);
  for (const name of ["stays", "goes"]) writeFileSync(join(some, name), name);
  expect(can("chattr", "+i", join(some, "stays"))).toBe(true);
  try {
    await expect(disk.remove("stays")).rejects.not.toMatchObject({ code: "unavailable" });
    expect(await disk.trouble()).toBeUndefined();
    await disk.remove("goes");
    expect(readdirSync(some).sort()).toEqual(["stays", "tmp"]);
    can("chattr", "+i", some);
    await expect(disk.remove("stays")).rejects.toMatchObject({ code: "unavailable" });
    expect(await disk.trouble()).toBe("the folder of uploads cannot be written to");
  } finally {
    for (const path of [some, join(some, "stays")]) can("chattr", "-i", path);
    disk.close();
  }
});

test("of the disk 512 MiB stay free, for all else that needs it", async () => {
  const disk = await openDisk(folder);
  const mebibyte = 1024 * 1024;
  const free = await disk.freeBytes();
  // Other processes write to this disk meanwhile.
  expect(await disk.hasRoomFor(free - 256 * mebibyte)).toBe(false);
  expect(await disk.hasRoomFor(free - 1024 * mebibyte)).toBe(true);
  disk.close();
});

test("a folder that is exchanged for another takes and has nothing, and that is told though nobody asks", async () => {
  const exchanged = join(temporary.path, "exchanged");
  const disk = await openDisk(exchanged);
  const draft = await disk.draft();
  const heard: (string | undefined)[] = [];
  disk.onTrouble((trouble) => heard.push(trouble?.sentence));
  writeFileSync(join(exchanged, "kept"), "kept");
  renameSync(exchanged, `${exchanged}-elsewhere`);
  mkdirSync(join(exchanged, "tmp"), { recursive: true });
  await until(() => heard.length > 0, "nobody looks at the folder");
  expect(heard[0]).toContain("gone or replaced");
  for (const ask of [() => disk.draft(), () => disk.find("kept"), () => draft.write(bytes("lost"))])
    await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
  expect(readdirSync(exchanged)).toEqual(["tmp"]);
  await draft.discard();
  disk.close();
  const another = await openDisk(exchanged);
  renameSync(exchanged, `${exchanged}-once-more`);
  mkdirSync(join(exchanged, "tmp"), { recursive: true });
  // Before the disk's own periodic check.
  await expect(another.draft()).rejects.toMatchObject({ code: "unavailable" });
  expect(readdirSync(join(exchanged, "tmp"))).toEqual([]);
  another.close();
});

test("of a folder that nobody made there is nothing to read", async () => {
  const nowhere = keptOnDisk(join(temporary.path, "nowhere"));
  expect([await nowhere.find("kept"), await Array.fromAsync(nowhere.all())]).toEqual([null, []]);
});

test("nothing counts as removed while the folder is away", async () => {
  const away = join(temporary.path, "away");
  const disk = await openDisk(away);
  writeFileSync(join(away, "kept"), "kept");
  renameSync(away, `${away}-elsewhere`);
  await expect(disk.remove("kept")).rejects.toMatchObject({ code: "unavailable" });
  disk.close();
});
