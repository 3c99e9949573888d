// Files without an upload: removed after an hour, at a start or later; every other file stays where it is.
import { expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InDoubt } from "../../server/database/database.ts";
import { forget, keep } from "../../server/database/instance.ts";
import { movedKey } from "../../server/database/moved.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { pictureOf } from "../../tests/house/material/images.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { putPicture } from "../../tests/house/scenes/avatars.ts";
import { fetchFile, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { files } from "./handlers.ts";
import { letFilesGo } from "./letting-go.ts";
import { newFilename } from "./naming.ts";
import { sweepFiles } from "./sweeping.ts";

const hourMs = 3600_000;

const pathOf = (house: TestHouse, name: string) => join(house.running.house.config.dataDir, "uploads", name);

function age(path: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  utimesSync(path, then, then);
}

/** Leaves a file as a crash between keeping it and writing its row would, `ms` ago. */
function leaveBehind(house: TestHouse, ms: number, name = newFilename("txt")): string {
  const path = pathOf(house, name);
  writeFileSync(path, "nobody knows of this");
  age(path, ms);
  return path;
}

/** Makes the database appear this old. */
async function makeOlder(house: TestHouse, ms: number): Promise<void> {
  const epoch = Bun.randomUUIDv7("hex", Date.now() - ms);
  const { database } = house.running.house;
  await database.transaction((db) =>
    db.updateTable("instance").set({ value: epoch }).where("key", "=", "epoch").execute(),
  );
  await house.restart();
}

/** Sweeps the next piece of the folder at once. Returns whether there is more. */
async function sweepOn(house: TestHouse): Promise<boolean> {
  return (await files.jobs?.[0]?.run(house.running.house)) === true;
}

/** Sweeps everything twice: the house's own walk may be under way. */
async function sweepAll(house: TestHouse): Promise<void> {
  for (let times = 0; times < 2; times++) while (await sweepOn(house));
}

onOneProcess("files without an upload", (house) => {
  test("are gone soon after the next start; fresh ones and those of uploads stay", async () => {
    await makeOlder(house(), 48 * hourMs);
    const alice = await house().person("alice");
    const { url } = await upload(alice, "old.txt", "still here");
    age(pathOf(house(), url.replace("/files/", "")), 30 * hourMs);
    const left = leaveBehind(house(), 2 * hourMs);
    const fresh = leaveBehind(house(), hourMs / 2);
    await house().restart();
    await until(() => !existsSync(left), "it was not swept");
    expect(existsSync(fresh)).toBe(true);
    await sweepAll(house());
    expect(existsSync(fresh)).toBe(true);
    expect(await (await fetchFile(alice, url)).text()).toBe("still here");
    age(fresh, 2 * hourMs);
    await sweepAll(house());
    await until(() => !existsSync(fresh), "what was fresh was not swept later");
    expect(await (await fetchFile(alice, url)).text()).toBe("still here");
  });

  test("go by a job that waits for a clock that is believed, as that of deleted messages' files does", () => {
    const byAge = files.jobs?.filter(({ deletesByAge }) => deletesByAge).map(({ run }) => run);
    expect(byAge).toEqual([sweepFiles, letFilesGo.run]);
  });

  test("stay once the Hearth has moved: they may be uploads of where it is now", async () => {
    await makeOlder(house(), 48 * hourMs);
    await house().quiet();
    await sweepAll(house());
    const { database } = house().running.house;
    await database.transaction((db) => keep(db, movedKey, "elsewhere"));
    const elsewhere = leaveBehind(house(), 2 * hourMs);
    await sweepAll(house());
    expect(existsSync(elsewhere)).toBe(true);
    await database.transaction((db) => forget(db, movedKey));
    await sweepAll(house());
    await until(() => !existsSync(elsewhere), "it was not swept");
  });

  test("the files of an own picture stay, and those that a crash left of one go", async () => {
    await makeOlder(house(), 48 * hourMs);
    const alice = await house().person("alice");
    await putPicture(alice, "/auth/me/avatar", await pictureOf("png", { width: 70, height: 70 }));
    const { body } = await alice.get("/auth/me");
    const [name = ""] = /[0-9a-f]{32}/.exec(String(body.avatar)) ?? [];
    const kept = [64, 256, 512].map((side) => pathOf(house(), `${name}-${side}.webp`));
    for (const path of kept) age(path, 30 * hourMs);
    const left = leaveBehind(house(), 2 * hourMs, `${"a".repeat(32)}-64.webp`);
    await sweepAll(house());
    await until(() => !existsSync(left), "it was not swept");
    expect(kept.map((path) => existsSync(path))).toEqual([true, true, true]);
  });

  test("previews stay like their pictures, and go with them", async () => {
    await makeOlder(house(), 48 * hourMs);
    const alice = await house().person("alice");
    const photo = await pictureOf("png", { width: 900, height: 90 });
    const names = async () => {
      const { url, preview_url } = await upload(alice, "photo.png", photo);
      return [url, preview_url ?? ""].map((path) => path.replace("/files/", ""));
    };
    const [kept, gone] = [await names(), await names()];
    for (const name of [...kept, ...gone]) age(pathOf(house(), name), 2 * hourMs);
    const { database } = house().running.house;
    await database.transaction((db) =>
      db
        .deleteFrom("uploads")
        .where("filename", "=", gone[0] ?? "")
        .execute(),
    );
    await sweepAll(house());
    await until(() => !gone.some((name) => existsSync(pathOf(house(), name))), "they were not swept");
    for (const name of kept) expect((await fetchFile(alice, `/files/${name}`)).status).toBe(200);
  });

  test("those of an upload whose commit is in doubt stay: its row may be there", async () => {
    const alice = await house().person("alice");
    const photo = await pictureOf("png", { width: 900, height: 90 });
    await house().quiet();
    const { database } = house().running.house;
    const rows = () =>
      database.read.selectFrom("uploads").select("filename").where("owner_id", "=", alice.id).execute();
    const transaction = database.transaction.bind(database);
    const losing = spyOn(database, "transaction").mockImplementation(async (...given) => {
      const result = await transaction(...given);
      if ((await rows()).length > 0) throw new InDoubt("the connection was lost after the commit");
      return result;
    });
    const answer = await tryUpload(alice, "photo.png", photo).finally(() => losing.mockRestore());
    expect(verdict(answer)).toBe("503 unavailable");
    const names = (await rows()).map(({ filename }) => filename);
    expect(names).toHaveLength(2);
    for (const name of names) expect((await fetchFile(alice, `/files/${name}`)).status).toBe(200);
  });

  test("a folder of many is walked through in pieces", async () => {
    await makeOlder(house(), 48 * hourMs);
    const alice = await house().person("alice");
    const { url } = await upload(alice, "kept.txt", "still here");
    // The house's own walk would take some of the pieces.
    await house().quiet();
    const left = Array.from({ length: 450 }, () => leaveBehind(house(), 2 * hourMs));
    expect(await sweepOn(house())).toBe(true);
    expect(left.filter(existsSync).length).toBeGreaterThan(0);
    await sweepAll(house());
    await until(() => !left.some(existsSync), "some were not swept");
    expect((await fetchFile(alice, url)).status).toBe(200);
  });

  test("what this house did not put there stays: other names, folders, links", async () => {
    await makeOlder(house(), 48 * hourMs);
    const foreign = leaveBehind(house(), 2 * hourMs, "notes.txt");
    const target = leaveBehind(house(), 2 * hourMs, "target");
    const [link, folder] = [pathOf(house(), newFilename("txt")), pathOf(house(), newFilename("txt"))];
    symlinkSync(target, link);
    mkdirSync(folder);
    age(folder, 2 * hourMs);
    await sweepAll(house());
    for (const path of [foreign, target, link, folder]) expect(existsSync(path)).toBe(true);
  });

  test("older than the database they stay: the folder may be that of another one, set by mistake", async () => {
    await makeOlder(house(), 3 * hourMs);
    const earlier = leaveBehind(house(), 4 * hourMs);
    const later = leaveBehind(house(), 2 * hourMs);
    await sweepAll(house());
    await until(() => !existsSync(later), "what the database can have lost was not swept");
    expect(existsSync(earlier)).toBe(true);
  });
});
