// Services that Hearth depends on: a wrong setting is one sentence and an exit code at the start; a service that is
// away is a reason at /readyz, and one line in the log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { hearth } from "../cli/hearth.ts";
import { type Refused, startFaultyStore } from "../doubles/faulty-store.ts";
import { startOldPostgres } from "../doubles/old-postgres.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { tryUpload } from "../house/scenes/files.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";
import { canStore, type PrivateS3, s3Key, startS3 } from "../house/servers/s3.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

async function refused(settings: Record<string, string>, says: RegExp): Promise<void> {
  const start = await startRefused({ DATA_DIR: folder.path, ...settings });
  expectOneSentence(start, says);
  expect(start.stderr).not.toContain("swordfish");
}

async function readiness({ url }: ServerProcess): Promise<string> {
  const answer = await fetch(`${url}/readyz`);
  return `${answer.status} ${(await answer.text()).trim()}`;
}

/** The log lines of level warn, error or fatal. */
function troublesOf(server: ServerProcess): string[] {
  return server
    .stderr()
    .split("\n")
    .filter((line) => /"level":"(warn|error|fatal)"/.test(line));
}

async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push((await call()).status);
  return found;
}

test("a PostgreSQL that is too old is one sentence", async () => {
  await using old = await startOldPostgres("12.22");
  await refused({ DATABASE_URL: old.url }, /is PostgreSQL 12\.22, and version 14 or newer is needed\.$/m);
});

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL", () => {
  let postgres: PrivatePostgres;
  beforeAll(async () => {
    postgres = (await startPostgres(false)) as PrivatePostgres;
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query("create role locked login password 'right'");
    const { rows } = await client.query<{ hba_file: string }>("show hba_file");
    const file = rows[0]?.hba_file ?? "";
    writeFileSync(file, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(file, "utf8")}`);
    await client.query("select pg_reload_conf()");
    await client.end();
  });
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  const urlWith = (change: (url: URL) => void) => {
    const url = new URL(postgres.url);
    change(url);
    return { DATABASE_URL: url.href };
  };

  test("with another password, another name or another database is one sentence", async () => {
    const wrongPassword = urlWith((url) => {
      url.username = "locked";
      url.password = "swordfish";
    });
    await refused(
      wrongPassword,
      /^The database in DATABASE_URL refuses: password authentication failed for user/,
    );
    const wrongName = urlWith((url) => {
      url.username = "nobody_here";
    });
    await refused(wrongName, /^The database in DATABASE_URL refuses: role "nobody_here" does not exist\.$/m);
    const wrongDatabase = urlWith((url) => {
      url.pathname = "/nowhere";
    });
    await refused(
      wrongDatabase,
      /^The database in DATABASE_URL refuses: database "nowhere" does not exist\.$/m,
    );
    await refused({ DATABASE_URL: "postgres://db.invalid/hearth" }, /does not answer: .*db\.invalid/);
  });

  test("whose database cannot hold all letters is one sentence, for the doctor, too", async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(
      "create database narrow encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0",
    );
    await client.end();
    const narrow = urlWith((url) => {
      url.pathname = "/narrow";
    });
    const says =
      /keeps texts as LATIN1, .* it must be UTF8\. .*createdb .*--encoding UTF8 --template template0/;
    await refused(narrow, says);
    const { exitCode, stdout } = await hearth("doctor", { DATA_DIR: folder.path, ...narrow });
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^wrong +database .*${says.source}`, "m")),
    ]);
  });

  test("that goes away later: 503 for each call, a reason at /readyz, and the log says it once", async () => {
    const settings = { DATA_DIR: folder.path, DATABASE_URL: postgres.url, LOG_LEVEL: "warn" };
    const server = await startServer({ settings });
    const alice = await TestPerson.register(server, "alice");
    const home = await alice.makeServer();
    await postgres.stopAtOnce();
    await until(async () => (await readiness(server)).startsWith("503 "), "it is not told");
    expect(await readiness(server)).toMatch(/^503 .*database/);
    const refusedCalls = () =>
      statuses(20, () => alice.post(`/channels/${home.general.id}/messages`, { content: "?" }));
    expect(await refusedCalls()).toEqual(Array(20).fill(503));
    await until(() => troublesOf(server).length > 0, "the log does not say it");
    expect(await refusedCalls()).toEqual(Array(20).fill(503));
    expect(troublesOf(server)).toHaveLength(1);
    await postgres.restart();
    await until(async () => (await readiness(server)) === "200 ready", "it does not come back");
    await alice.say(home.general.id, "again");
    await server.stop();
  });
});

describe.skipIf(!canStore)(`a store for uploads${canStore ? "" : " (skipped: no S3 store here)"}`, () => {
  test("that has no such bucket or takes no such key is one sentence", async () => {
    await using store = await startS3();
    const { S3_URL: _, ...keys } = store.settings("there");
    await refused(
      { S3_URL: `${store.url}/nowhere`, ...keys },
      /^Uploads cannot be kept \(S3_URL\): .*no such bucket/,
    );
    const wrong = { ...s3Key, S3_SECRET_ACCESS_KEY: "swordfish" };
    await refused(
      { S3_URL: `${store.url}/there`, ...wrong },
      /^Uploads cannot be kept \(S3_URL\): .*S3_SECRET_ACCESS_KEY/,
    );
    await refused({ S3_URL: `${store.url}/there` }, /S3_ACCESS_KEY_ID/);
  });

  test("that goes away later: 503 for uploads, a line at /readyz, and the log says it once", async () => {
    await using store = await startS3();
    const data = temporaryFolder();
    const settings = { DATA_DIR: data.path, ...store.settings("uploads"), LOG_LEVEL: "warn" };
    const server = await startServer({ settings });
    const alice = await TestPerson.register(server, "alice");
    expect((await tryUpload(alice, "a.txt", "words")).status).toBe(201);
    await store.stop();
    const refusedCalls = () => statuses(20, () => tryUpload(alice, "a.txt", "words"));
    expect(await refusedCalls()).toEqual(Array(20).fill(503));
    expect(await readiness(server)).toMatch(
      /^200 ready\nNo uploads are taken: the S3 store .* cannot be reached$/,
    );
    await until(() => troublesOf(server).length > 0, "the log does not say it");
    expect(await refusedCalls()).toEqual(Array(20).fill(503));
    expect(troublesOf(server)).toEqual([expect.stringContaining("no uploads are taken: the S3 store at")]);
    await store.start();
    await until(async () => (await readiness(server)) === "200 ready", "it does not come back");
    expect((await tryUpload(alice, "a.txt", "words")).status).toBe(201);
    await server.stop();
    data.remove();
  });

  const answers: [string, Refused][] = [
    ["a bucket's quota", { status: 400, code: "XMinioAdminBucketQuotaExceeded" }],
    ["too many requests", { status: 429 }],
    ["403 of a proxy", { status: 403 }],
  ];
  for (const [what, fault] of answers)
    test(`that answers the start with ${what}: all but files works, and files when it takes them`, async () => {
      await using store = await startS3();
      await using double = await startFaultyStore(store.url);
      const data = temporaryFolder();
      const settings = { DATA_DIR: data.path, ...store.settings("uploads"), LOG_LEVEL: "warn" };
      double.fault = fault;
      const server = await startServer({ settings: { ...settings, S3_URL: `${double.url}/uploads` } });
      expect(await readiness(server)).toMatch(/^200 ready\nNo uploads are taken: the S3 store/);
      const alice = await TestPerson.register(server, "alice");
      expect((await tryUpload<{ code: string }>(alice, "a.txt", "words")).body.code).toBe("unavailable");
      double.fault = undefined;
      await until(async () => (await tryUpload(alice, "a.txt", "words")).status === 201, "none is taken");
      expect(await readiness(server)).toBe("200 ready");
      await server.stop();
      data.remove();
    });

  const away: [string, (store: PrivateS3) => Promise<void>, (store: PrivateS3) => Promise<void>][] = [
    ["is away", (store) => store.stop(), (store) => store.start()],
    ["stands still", async (store) => store.freeze(), async (store) => store.thaw()],
  ];
  for (const [how, begin, end] of away)
    test(`that ${how} at the start: all but files works, and files when it is there`, async () => {
      await using store = await startS3();
      const data = temporaryFolder();
      const settings = { DATA_DIR: data.path, ...store.settings("uploads"), LOG_LEVEL: "warn" };
      await begin(store);
      const server = await startServer({ settings });
      expect(await readiness(server)).toMatch(/^200 ready\nNo uploads are taken: the S3 store/);
      const alice = await TestPerson.register(server, "alice");
      const { general } = await alice.makeServer();
      await alice.say(general.id, "good morning");
      expect((await tryUpload<{ code: string }>(alice, "a.txt", "words")).body.code).toBe("unavailable");
      await until(() => troublesOf(server).length > 0, "the log does not say it");
      expect(troublesOf(server)).toEqual([expect.stringContaining("no uploads are taken: the S3 store at")]);
      await end(store);
      await until(async () => (await tryUpload(alice, "a.txt", "words")).status === 201, "none is taken");
      expect(await readiness(server)).toBe("200 ready");
      await server.stop();
      data.remove();
    });
});
