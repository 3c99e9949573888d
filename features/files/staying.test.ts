// A file whose bytes cannot be removed, on the disk and in an S3 store: the others are removed all the same.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type FaultyStore, startFaultyStore } from "../../tests/doubles/faulty-store.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { upload } from "../../tests/house/scenes/files.ts";
import { canStore, type PrivateS3, startS3 } from "../../tests/house/servers/s3.ts";
import { letFilesGo } from "./letting-go.ts";
import { newFilename } from "./naming.ts";
import { sweepFiles } from "./sweeping.ts";

const minuteMs = 60_000;

/** Two files whose messages were deleted a day ago; the job comes to `first` first. */
async function twoDue(house: TestHouse): Promise<{ first: string; second: string }> {
  const alice = await house.person("alice");
  const home = await alice.makeServer();
  const names: string[] = [];
  for (const text of ["first", "second"]) {
    const { url } = await upload(alice, `${text}.txt`, text);
    await alice.delete(`/messages/${(await alice.say(home.general.id, "Look!", { attachments: [url] })).id}`);
    names.push(url.replace("/files/", ""));
  }
  const [first = "", second = ""] = names;
  await makeDue(house, first, 2 * minuteMs);
  await makeDue(house, second, minuteMs);
  return { first, second };
}

async function makeDue(house: TestHouse, filename: string, sinceMs: number): Promise<void> {
  const due_at = Date.now() - sinceMs;
  await house.running.house.database.transaction((db) =>
    db.updateTable("file_releases").set({ due_at }).where("filename", "=", filename).execute(),
  );
}

const noted = (house: TestHouse) =>
  house.running.house.database.read.selectFrom("file_releases").selectAll().execute();

/** Runs the job, and again after the ten minutes for which `first` is left alone. */
async function expectOthersGo(house: TestHouse, first: string, mend: () => void): Promise<void> {
  expect(await letFilesGo.run(house.running.house)).toBe(false);
  const [left, ...others] = await noted(house);
  expect([left?.filename, others]).toEqual([first, []]);
  expect((left?.due_at ?? 0) - Date.now()).toBeWithin(9 * minuteMs, 10 * minuteMs + 1);
  expect(await house.running.house.blobs.trouble()).toBeUndefined();
  mend();
  await makeDue(house, first, 1);
  await letFilesGo.run(house.running.house);
  expect(await noted(house)).toEqual([]);
}

test("on a disk that keeps one of them, the others go", async () => {
  const house = await makeHouse("SQLite", {});
  try {
    await house.open();
    await house.quiet();
    const { first } = await twoDue(house);
    const uploads = join(house.running.house.config.dataDir, "uploads");
    // A folder with that name cannot be removed as a file.
    rmSync(join(uploads, first));
    mkdirSync(join(uploads, first));
    await expectOthersGo(house, first, () => rmSync(join(uploads, first), { recursive: true }));
    expect(readdirSync(uploads)).toEqual(["tmp"]);
  } finally {
    await house.end();
  }
});

const title = "an S3 store that keeps one of them";
describe.skipIf(!canStore)(canStore ? title : `${title} (skipped: none is installed)`, () => {
  let s3: PrivateS3;
  let store: FaultyStore;
  let house: TestHouse;
  let bucket: string;
  beforeAll(async () => {
    s3 = await startS3();
    store = await startFaultyStore(s3.url);
    house = await makeHouse("SQLite", { ...s3.settings("uploads"), S3_URL: `${store.url}/uploads` });
    bucket = s3.folderOf("uploads");
    await house.open();
    await house.quiet();
  });
  afterAll(async () => {
    await house?.end();
    await store?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  /** Lets the store refuse to delete one object, as one with object locks does. */
  function lock(name: string): void {
    store.fault = { status: 403, code: "AccessDenied" };
    store.isFor = ({ method, url = "" }) => method === "DELETE" && url.includes(name);
  }

  test("takes uploads, and the others go", async () => {
    const { first, second } = await twoDue(house);
    lock(first);
    await expectOthersGo(house, first, () => {
      expect(readdirSync(bucket)).toContain(first);
      expect(readdirSync(bucket)).not.toContain(second);
      store.fault = undefined;
    });
    expect(readdirSync(bucket)).not.toContain(first);
  });

  test("ends the run when it removes none at all", async () => {
    const { first, second } = await twoDue(house);
    lock("");
    expect(await letFilesGo.run(house.running.house)).toBe(false);
    expect((await noted(house)).map(({ filename }) => filename).sort()).toEqual([first, second].sort());
    for (const { due_at } of await noted(house)) expect(due_at).toBeLessThanOrEqual(Date.now());
    expect(await house.running.house.blobs.trouble()).toContain("refuses to delete");
    store.fault = undefined;
  });

  test("is left alone where it is away: the sweep ends, and nothing but the outage is logged", async () => {
    const { house: running } = house.running;
    const isWell = async () => (await running.blobs.trouble()) === undefined;
    await until(isWell, "the store is not used again");
    const told = [spyOn(running.log, "warn"), spyOn(running.log, "error")];
    try {
      store.isFor = () => true;
      store.fault = 500;
      for (let times = 0; times < 3; times++) expect(await sweepFiles(running)).toBe(false);
      expect(told.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
    } finally {
      for (const each of told) each.mockRestore();
    }
    store.fault = undefined;
    await until(isWell, "the store is not used again");
    expect(await sweepFiles(running)).toBe(false);
  });

  test("loses the others that a crash left without a row", async () => {
    const { database } = house.running.house;
    const epoch = Bun.randomUUIDv7("hex", Date.now() - 48 * 60 * minuteMs);
    await database.transaction((db) =>
      db.updateTable("instance").set({ value: epoch }).where("key", "=", "epoch").execute(),
    );
    await house.restart();
    await house.quiet();
    const names: string[] = [];
    for (let i = 0; i < 3; i++) {
      const draft = await house.running.house.blobs.draft();
      const name = newFilename("txt");
      await draft.write(new TextEncoder().encode("nobody knows of this"));
      await draft.keep(name);
      const then = new Date(Date.now() - 120 * minuteMs);
      utimesSync(join(bucket, name), then, then);
      names.push(name);
    }
    // Objects are listed by name.
    const [first = ""] = names.sort();
    lock(first);
    for (let times = 0; times < 2; times++) while (await sweepFiles(house.running.house));
    expect(readdirSync(bucket).filter((name) => names.includes(name))).toEqual([first]);
    store.fault = undefined;
  });
});
