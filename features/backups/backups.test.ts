// Automatic backups of a running Hearth: when they are due, encryption where it is set, and how many are kept.
import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  watch as watching,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../server/config/config.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { upload } from "../../tests/house/scenes/files.ts";
import { checkBackups } from "./doctor.ts";
import { keptIn, nameAt, rotate } from "./folder.ts";
import { backUpWhenDue } from "./making.ts";

const { PATH = "", HOME = "" } = Bun.env;
const hourMs = 3600_000;

let house: TestHouse;
let folder: string;

async function open(more: Record<string, string> = {}): Promise<void> {
  house = await makeHouse("SQLite", { PATH, HOME });
  folder = join(house.settings.DATA_DIR ?? "", "backups");
  mkdirSync(folder, { recursive: true });
  Object.assign(house.settings, { BACKUP_DIR: folder, ...more });
  await house.open();
  // The job of the house does not interfere.
  await house.quiet();
}

const epoch = () => house.running.house.epoch;
const kept = () => keptIn(folder, epoch());
const nameOf = (at: number, isEncrypted = false) => nameAt(epoch(), at, isEncrypted);
const whole = async () => (await kept()).map(({ name }) => name);
const due = () => backUpWhenDue(house.running.house);
/** Renames the newest backup as if it were this many hours old. */
async function age(hours: number): Promise<void> {
  const [newest] = await kept();
  const name = nameOf(newest!.at - hours * hourMs, newest!.name.endsWith(".age"));
  renameSync(join(folder, newest!.name), join(folder, name));
}

afterEach(async () => {
  setSystemTime();
  await house?.end();
});

test("one is made by itself within moments, and none again before it is due", async () => {
  house = await makeHouse("SQLite", { PATH, HOME });
  folder = join(house.settings.DATA_DIR ?? "", "backups");
  mkdirSync(folder, { recursive: true });
  house.settings.BACKUP_DIR = folder;
  await house.open();
  await until(async () => (await kept()).length === 1, "none is made");
  await until(() => readdirSync(folder).length === 1, "something unfinished is left");
  await house.quiet();
  const [name] = await whole();
  await due();
  expect(await whole()).toEqual([name!]);
  await age(23);
  await due();
  expect(await whole()).toHaveLength(1);
  await age(1);
  await due();
  expect(await whole()).toHaveLength(2);
});

test("those beyond BACKUP_KEEP go, the oldest first, and nothing that is not Hearth's own", async () => {
  await open({ BACKUP_KEEP: "2" });
  const old = [3, 4, 5].map((days) => nameOf(Date.now() - days * 24 * hourMs));
  const left = `${old[1]}.part-Ab12cd`;
  for (const name of [...old, "hearth-2026-03-01.tar", "notes.txt"]) writeFileSync(join(folder, name), "old");
  mkdirSync(join(folder, left));
  await due();
  const [newest] = await whole();
  expect(await whole()).toEqual([newest!, old[0]!]);
  expect(readdirSync(folder).sort()).toEqual([old[0]!, newest!, "hearth-2026-03-01.tar", "notes.txt"].sort());
  await rotate(folder, epoch(), 0);
  expect(await whole()).toEqual([newest!]);
});

test("those of another Hearth in the folder are none of its own, nor are those of before names had a Hearth", async () => {
  await open({ BACKUP_KEEP: "1" });
  const old = Date.now() - 72 * hourMs;
  const others = [
    nameAt("another epoch", Date.now(), false),
    nameAt("another epoch", old, false),
    `${nameAt("another epoch", old, false)}.part-Ab12cd`,
    "hearth-2026-03-01T04-00-00Z.tar",
    "hearth-2026-03-02T04-00-00Z.tar.age",
  ];
  for (const name of others) writeFileSync(join(folder, name), "another's");
  const running = { version: "", url: "", engine: "sqlite", pid: 1, epoch: epoch() };
  expect((await checkBackups(house.running.house.config, running)).says).toContain("There is none");
  await due();
  await age(24);
  await due();
  const [newest] = await whole();
  expect(readdirSync(folder).sort()).toEqual([...others, newest!].sort());
  expect((await checkBackups(house.running.house.config, running)).says).toContain("One is");
});

test("one that hangs is ended, is told, and leaves nothing", async () => {
  await open();
  // A pipe without a writer: reading it never ends.
  const passphrase = join(house.settings.DATA_DIR ?? "", "passphrase");
  execFileSync("mkfifo", [passphrase]);
  house.settings.BACKUP_PASSPHRASE_FILE = passphrase;
  await house.restart();
  await house.quiet();
  const told = spyOn(house.running.house.log, "error");
  await backUpWhenDue(house.running.house, 500);
  const reason = expect.stringContaining("the command did not end within");
  expect(told).toHaveBeenCalledWith({ reason }, "no backup could be made: tried again each hour");
  expect(readdirSync(folder)).toEqual([]);
});

test("they are encrypted where there is a passphrase, and their names say so", async () => {
  await open();
  const passphrase = join(house.settings.DATA_DIR ?? "", "passphrase");
  writeFileSync(passphrase, "a long walk by the sea\n");
  house.settings.BACKUP_PASSPHRASE_FILE = passphrase;
  await house.restart();
  await house.quiet();
  // Leftovers of a killed command: its copy of the database, and an unfinished backup.
  const data = house.settings.DATA_DIR ?? "";
  mkdirSync(join(data, "backup-copy-Ab12cd"));
  writeFileSync(join(data, "backup-copy-Ab12cd", "hearth.db"), "plain");
  mkdirSync(join(folder, `${nameOf(Date.now(), true)}.part-Ab12cd`));
  const plain: string[] = [];
  const watch = watching(folder, { recursive: true }, (_, name) => name && plain.push(name));
  await due();
  watch.close();
  expect((await whole())[0]).toEndWith(".tar.age");
  expect(readdirSync(folder)).toEqual(await whole());
  expect(plain.filter((name) => name.endsWith("hearth.db"))).toEqual([]);
  expect(plain.length).toBeGreaterThan(0);
  expect(readdirSync(data).filter((name) => name.startsWith("backup-copy"))).toEqual([]);
});

test("that uploads are missing in it is told", async () => {
  await open();
  const alice = await house.person("alice");
  await upload(alice, "kept.txt", "still here");
  const { url } = await upload(alice, "lost.txt", "not for long");
  rmSync(join(house.settings.DATA_DIR ?? "", "uploads", url.replace("/files/", "")));
  const warned = spyOn(house.running.house.log, "warn");
  await due();
  expect((await whole()).length).toBe(1);
  const reason = expect.stringContaining("1 upload that the database names is not in");
  expect(warned).toHaveBeenCalledWith(
    { reason },
    "a backup was made, and uploads are missing in it, or not as written",
  );
});

test("a failure keeps what is there, is told once, and is tried again each hour, and the end of it is told", async () => {
  await open();
  const passphrase = join(house.settings.DATA_DIR ?? "", "passphrase");
  house.settings.BACKUP_PASSPHRASE_FILE = passphrase;
  await house.restart();
  await house.quiet();
  const { log } = house.running.house;
  const [failed, mended] = [spyOn(log, "error"), spyOn(log, "info")];
  const steady = performance.now.bind(performance);
  let aheadMs = 0;
  using _ = spyOn(performance, "now").mockImplementation(() => steady() + aheadMs);
  const old = nameOf(Date.now() - 48 * hourMs, true);
  writeFileSync(join(folder, old), "old");
  await due();
  expect(readdirSync(folder)).toEqual([old]);
  const { config } = house.running.house;
  for (const [backupPassphraseFile, says] of [
    [config.backupPassphraseFile, "BACKUP_PASSPHRASE_FILE cannot be read"],
    [undefined, "48 hours old"],
  ] as const)
    expect(await checkBackups({ ...config, backupPassphraseFile })).toMatchObject({
      state: "wrong",
      says: expect.stringContaining(says),
    });
  aheadMs = hourMs;
  await due();
  expect(failed).toHaveBeenCalledTimes(1);
  writeFileSync(passphrase, "a long walk by the sea\n");
  await due();
  expect([readdirSync(folder), mended.mock.calls]).toEqual([[old], []]);
  aheadMs += hourMs;
  await due();
  expect(readdirSync(folder)).toHaveLength(2);
  expect(mended.mock.calls.flat() as unknown[]).toEqual(["backups are made again"]);
});

test("a name from a clock that was ahead puts none off, hides none, and takes no other's place", async () => {
  await open({ BACKUP_KEEP: "1" });
  const ahead = nameOf(Date.now() + 1000 * hourMs);
  writeFileSync(join(folder, ahead), "");
  await due();
  const [made] = await whole();
  expect(readdirSync(folder).sort()).toEqual([made!, ahead].sort());
  await age(48);
  const found = await checkBackups(house.running.house.config);
  expect(found).toMatchObject({ state: "wrong", says: expect.stringContaining("48 hours old") });
});

test("while the clock is doubted one is made when it seems due, and none is deleted", async () => {
  await open({ BACKUP_KEEP: "1" });
  const old = nameOf(Date.now() - 48 * hourMs);
  writeFileSync(join(folder, old), "old");
  setSystemTime(new Date(Date.now() + 20 * 24 * hourMs));
  await due();
  expect(await whole()).toHaveLength(2);
  expect(readdirSync(folder)).toContain(old);
});

test("the doctor gives the newest three hours beyond when the next is due, and says how many there are", async () => {
  await open({ BACKUP_EVERY: "24" });
  const says = async (...ages: number[]) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    for (const hours of ages) writeFileSync(join(folder, nameOf(Date.now() - hours * hourMs)), "");
    const found = await checkBackups(house.running.house.config);
    return `${found.state}: ${found.says}`;
  };
  expect(await says(50, 26)).toBe(`ok: 2 are in ${folder}, and the newest is 26 hours old.`);
  expect(await says(26)).toBe(`ok: One is in ${folder}, and the newest is 26 hours old.`);
  expect(await says(28)).toBe(`wrong: The newest in ${folder} is 28 hours old: the log says why.`);
});

test("that there is none is a fault of a server that runs for hours, and none before", async () => {
  await open();
  const { config } = house.running.house;
  const running = { version: "", url: "", engine: "sqlite", pid: 1, epoch: epoch() };
  expect((await checkBackups(config, running)).state).toBe("note");
  setSystemTime(new Date(Date.now() + 4 * hourMs));
  expect((await checkBackups(config, running)).state).toBe("wrong");
  expect((await checkBackups(config)).state).toBe("note");
});

test("a server that stops leaves nothing unfinished, and tells of no failure", async () => {
  await open();
  const failed = spyOn(house.running.house.log, "error");
  const unfinished = () => readdirSync(folder).filter((name) => name.includes(".part-"));
  let making: Promise<unknown> = Promise.resolve();
  await until(async () => {
    let isOver = false;
    making = due().finally(() => {
      isOver = true;
    });
    await until(() => isOver || unfinished().length > 0, "it is not begun");
    // On a busy machine it may be over before this is checked.
    if (isOver) await age(24);
    return !isOver;
  }, "none is met while it is made");
  await house.shut();
  await making;
  expect(unfinished()).toEqual([]);
  expect(failed.mock.calls).toEqual([]);
});

test("a folder that is not there keeps nobody from starting: the log and the doctor say it, and it is used when it comes", async () => {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  const later = join(house.settings.DATA_DIR ?? "", "later");
  house.settings.BACKUP_DIR = later;
  await house.open();
  await house.quiet();
  const { running } = house;
  const said: unknown[] = [];
  const { error } = running.house.log;
  running.house.log.error = (...told: unknown[]) => void said.push(told);
  for (let i = 0; i < 3; i++) await backUpWhenDue(running.house);
  running.house.log.error = error;
  expect(said).toEqual([
    [
      { reason: expect.stringContaining(`Backups cannot be kept in ${later} (BACKUP_DIR)`) },
      "no backup could be made: tried again each minute",
    ],
  ]);
  expect(existsSync(later)).toBe(false);
  const found = await checkBackups(running.house.config);
  expect(found).toMatchObject({ state: "wrong", says: expect.stringContaining("(BACKUP_DIR): ENOENT") });
  mkdirSync(later);
  await backUpWhenDue(running.house);
  expect(readdirSync(later)).toHaveLength(1);
});

test("a passphrase that cannot be read is told by the doctor before a backup fails for it", async () => {
  house = await makeHouse("SQLite", {});
  const there = house.settings.DATA_DIR ?? "";
  const settings = { BACKUP_DIR: there, BACKUP_PASSPHRASE_FILE: join(there, "none") };
  expect(await checkBackups(readConfig([], settings))).toMatchObject({
    state: "wrong",
    says: expect.stringContaining("BACKUP_PASSPHRASE_FILE cannot be read"),
  });
});
