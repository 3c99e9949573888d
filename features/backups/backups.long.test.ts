// Backups that a running Hearth makes by itself: when they are due, whole, encrypted where that is set, and only so many.
import { afterEach, describe, expect, setSystemTime, spyOn, test } from "bun:test";
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
import { hearth } from "../../tests/cli/hearth.ts";
import { type Engine, makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import { upload } from "../../tests/house/files.ts";
import { until } from "../../tests/house/waiting.ts";
import { checkBackups } from "./doctor.ts";
import { keptIn, nameAt, rotate } from "./folder.ts";
import { backUpWhenDue } from "./making.ts";

const { PATH = "", HOME = "" } = Bun.env;
const hourMs = 3600_000;

let house: TestHouse;
let folder: string;

async function open(engine: Engine, more: Record<string, string> = {}): Promise<void> {
  house = await makeHouse(engine, { PATH, HOME });
  folder = join(house.settings.DATA_DIR ?? "", "backups");
  mkdirSync(folder, { recursive: true });
  Object.assign(house.settings, { BACKUP_DIR: folder, ...more });
  await house.open();
  // The job of the house does not come in between.
  await house.quiet();
}

const epoch = () => house.running.house.epoch;
const kept = () => keptIn(folder, epoch());
const nameOf = (at: number, isEncrypted = false) => nameAt(epoch(), at, isEncrypted);
const whole = async () => (await kept()).map(({ name }) => name);
const due = () => backUpWhenDue(house.running.house);
/** Gives the newest the name that it would have if it were so old. */
async function age(hours: number): Promise<void> {
  const [newest] = await kept();
  const name = nameOf(newest!.at - hours * hourMs, newest!.name.endsWith(".age"));
  renameSync(join(folder, newest!.name), join(folder, name));
}

afterEach(async () => {
  setSystemTime();
  await house?.end();
});

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
for (const engine of engines) {
  test(`on ${engine} one is made within moments, is whole, and the next when it is due`, async () => {
    house = await makeHouse(engine, { PATH, HOME });
    folder = join(house.settings.DATA_DIR ?? "", "backups");
    mkdirSync(folder, { recursive: true });
    house.settings.BACKUP_DIR = folder;
    await house.open();
    await until(async () => (await whole()).length === 1, "none is made");
    const [name = ""] = await whole();
    await until(() => readdirSync(folder).length === 1, "something unfinished is left");
    const checked = await hearth(`restore --check ${join(folder, name)}`, {
      PATH,
      HOME,
      ...house.settings,
    });
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("It is whole.") });
    await due();
    expect(await whole()).toEqual([name]);
    await age(24);
    await due();
    expect((await whole()).length).toBe(2);
  });
}

describe("on SQLite", () => {
  test("those beyond BACKUP_KEEP go, the oldest first, and nothing that is not Hearth's own", async () => {
    await open("SQLite", { BACKUP_KEEP: "2" });
    const old = [3, 4, 5].map((days) => nameOf(Date.now() - days * 24 * hourMs));
    const left = `${old[1]}.part-Ab12cd`;
    for (const name of [...old, "hearth-2026-03-01.tar", "notes.txt"])
      writeFileSync(join(folder, name), "old");
    mkdirSync(join(folder, left));
    await due();
    const [newest] = await whole();
    expect(await whole()).toEqual([newest!, old[0]!]);
    expect(readdirSync(folder).sort()).toEqual(
      [old[0]!, newest!, "hearth-2026-03-01.tar", "notes.txt"].sort(),
    );
    await rotate(folder, epoch(), 0);
    expect(await whole()).toEqual([newest!]);
  });

  test("those of another Hearth in the folder are none of its own, nor are those of before names had a Hearth", async () => {
    await open("SQLite", { BACKUP_KEEP: "1" });
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
    await open("SQLite");
    // Nobody writes into it, so whoever reads it waits.
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
    await open("SQLite");
    const passphrase = join(house.settings.DATA_DIR ?? "", "passphrase");
    writeFileSync(passphrase, "a long walk by the sea\n");
    house.settings.BACKUP_PASSPHRASE_FILE = passphrase;
    await house.restart();
    await house.quiet();
    // What a killed command left: the copy of the database, and a backup that has not come to its end.
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
    await open("SQLite");
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

  test("a failure keeps what is there, is told, and is not tried again at once", async () => {
    await open("SQLite", { BACKUP_PASSPHRASE_FILE: "/nowhere/passphrase" });
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
    house.settings.BACKUP_PASSPHRASE_FILE = "";
    await due();
    expect(readdirSync(folder)).toEqual([old]);
  });

  test("a name from a clock that was ahead puts none off, hides none, and takes no other's place", async () => {
    await open("SQLite", { BACKUP_KEEP: "1" });
    const ahead = nameOf(Date.now() + 1000 * hourMs);
    writeFileSync(join(folder, ahead), "");
    await due();
    const [made] = await whole();
    expect(readdirSync(folder).sort()).toEqual([made!, ahead].sort());
    await age(48);
    const found = await checkBackups(house.running.house.config);
    expect(found).toMatchObject({ state: "wrong", says: expect.stringContaining("48 hours old") });
  });

  test("that there is none is a fault of a server that runs for hours, and none before", async () => {
    await open("SQLite");
    const { config } = house.running.house;
    const running = { version: "", url: "", engine: "sqlite", pid: 1, epoch: epoch() };
    expect((await checkBackups(config, running)).state).toBe("note");
    setSystemTime(new Date(Date.now() + 4 * hourMs));
    expect((await checkBackups(config, running)).state).toBe("wrong");
    expect((await checkBackups(config)).state).toBe("note");
  });

  test("a server that stops leaves nothing unfinished", async () => {
    await open("SQLite");
    const unfinished = () => readdirSync(folder).filter((name) => name.includes(".part-"));
    let making: Promise<unknown> = Promise.resolve();
    await until(async () => {
      let isOver = false;
      making = due().finally(() => {
        isOver = true;
      });
      await until(() => isOver || unfinished().length > 0, "it is not begun");
      // On a busy machine it may be over before anybody looks.
      if (isOver) await age(24);
      return !isOver;
    }, "none is met while it is made");
    await house.shut();
    await making;
    expect(unfinished()).toEqual([]);
  });
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
