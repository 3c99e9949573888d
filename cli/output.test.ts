// A backup's file: a temporary name while it is written, its final name once it is complete.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../server/config/config.ts";
import { claim } from "../server/database/sqlite.ts";
import { type TemporaryFolder, temporaryFolder } from "../tests/house/machine/folder.ts";
import { FileOutput } from "./output.ts";
import { withCopyFolder } from "./plain-copy.ts";
import { inFolder } from "./work-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());
const at = (name: string) => join(folder.path, name);

test("it has its name only once it is whole, is its owner's alone, and overwrites nothing", async () => {
  const target = at("backup.tar");
  await FileOutput.mustNotExist(target);
  await inFolder(`${target}.part-`, async (part) => {
    const output = await FileOutput.open(part, target);
    expect(output.name).toBe(target);
    const large = Buffer.alloc(3 * 1024 * 1024, 7);
    for (const bytes of [Buffer.from("begun"), large, large, Buffer.from("ended")]) await output.write(bytes);
    expect(existsSync(target)).toBe(false);
    await output.finish();
  });
  expect(readdirSync(folder.path)).toEqual(["backup.tar"]);
  const kept = readFileSync(target);
  expect(kept.length).toBe(6 * 1024 * 1024 + 10);
  expect([kept.subarray(0, 6).toString("latin1"), kept.subarray(-6).toString("latin1")]).toEqual([
    "begun\x07",
    "\x07ended",
  ]);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  const taken = "is there already, and no backup is overwritten";
  await expect(FileOutput.mustNotExist(target)).rejects.toThrow(taken);
  await expect(FileOutput.mustNotExist(at("nowhere/backup.tar"))).rejects.toThrow("There is no folder");
});

test("a name that is taken while it is made stays whose it is", async () => {
  const target = at("backup.tar");
  const making = inFolder(`${target}.part-`, async (part) => {
    const output = await FileOutput.open(part, target);
    await output.write(Buffer.from("mine"));
    writeFileSync(target, "somebody else's");
    await output.finish();
  });
  await expect(making).rejects.toThrow("is there already, and no backup is overwritten");
  expect(readFileSync(target, "utf8")).toBe("somebody else's");
  expect(readdirSync(folder.path)).toEqual(["backup.tar"]);
});

test("a folder of work is its owner's alone, and goes with the work, whatever comes of it", async () => {
  const before = ["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((each) => process.listenerCount(each));
  const done = await inFolder(at("work-"), async (path) => {
    expect(statSync(path).mode & 0o777).toBe(0o700);
    writeFileSync(join(path, "half"), "");
    return "done";
  });
  expect(done).toBe("done");
  const failing = inFolder(at("work-"), async (path) => {
    writeFileSync(join(path, "half"), "");
    throw new Error("it failed");
  });
  await expect(failing).rejects.toThrow("it failed");
  expect(readdirSync(folder.path)).toEqual([]);
  expect(["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((each) => process.listenerCount(each))).toEqual(before);
});

test("the plain copy of an encrypted backup lies in the data folder, alone, and nothing of a killed one stays", async () => {
  const passphrase = at("passphrase");
  writeFileSync(passphrase, "a long walk by the sea\n");
  const data = at("data");
  const encrypting = readConfig([], { DATA_DIR: data, BACKUP_PASSPHRASE_FILE: passphrase });
  mkdirSync(data, { mode: 0o700 });
  mkdirSync(join(data, "backup-copy-killed"));
  writeFileSync(join(data, "backup-copy-killed", "hearth.db"), "plain");
  writeFileSync(join(data, "hearth.db"), "the database");
  const inside = await withCopyFolder(encrypting, folder.path, async (path) => {
    expect(path).toStartWith(join(data, "backup-copy-"));
    expect(existsSync(join(data, "backup-copy-killed"))).toBe(false);
    const second = withCopyFolder(encrypting, folder.path, async () => "made beside it");
    await expect(second).rejects.toThrow("is being made: wait for its end");
    expect(existsSync(path)).toBe(true);
    return path;
  });
  expect(existsSync(inside)).toBe(false);
  expect(readdirSync(data)).toEqual(["hearth.db"]);
  const other = claim(join(data, "backup-copy.lock"));
  await expect(withCopyFolder(encrypting, folder.path, async () => {})).rejects.toThrow("wait for its end");
  other.close();
  const failing = withCopyFolder(encrypting, folder.path, () => Promise.reject(new Error("it failed")));
  await expect(failing).rejects.toThrow("it failed");
  expect(await withCopyFolder(encrypting, folder.path, async () => "again")).toBe("again");
  // Without encryption the copy lies beside the backup itself.
  const open = readConfig([], { DATA_DIR: data });
  expect(await withCopyFolder(open, folder.path, async (path) => path)).toBe(folder.path);
});
