// Commands that ask the running server, or open the house themselves if none runs: output, refusals and exit codes.
import { Database } from "bun:sqlite";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  type Mock,
  spyOn,
  test,
} from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { admin } from "../../cli/admin.ts";
import { blobs } from "../../cli/blobs.ts";
import { checkDatabase, checkIntegrity, checkRunning } from "../../cli/check-data.ts";
import { checkMove } from "../../cli/check-move.ts";
import { checkPort } from "../../cli/check-port.ts";
import { doctor } from "../../cli/doctor.ts";
import { migrate } from "../../cli/migrate.ts";
import { beginJournal, removeJournal } from "../../cli/moving/journal.ts";
import { sqliteEnd } from "../../cli/moving/sqlite.ts";
import { ready } from "../../cli/ready.ts";
import { showSettings } from "../../cli/settings.ts";
import { Misunderstood } from "../../cli/words.ts";
import { type Config, readConfig } from "../../server/config/config.ts";
import { version } from "../../server/config/version.ts";
import { claim } from "../../server/database/sqlite.ts";
import type { Finding } from "../../server/house/check.ts";
import { startFaultyStore } from "../doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { canStore, startS3 } from "../house/servers/s3.ts";
import { expectDone, hearth } from "./hearth.ts";

let house: TestHouse;
let olga: TestPerson;
let alice: TestPerson;
let elsewhere: TemporaryFolder;
let [printed, complained]: Mock<(...words: unknown[]) => void>[] = [];
beforeAll(async () => {
  elsewhere = temporaryFolder();
  house = await makeHouse("SQLite", { RATE_LIMITS: "on" });
  await house.open();
  olga = await house.person("olga");
  alice = await house.person("alice");
});
afterAll(async () => {
  await house?.end();
  elsewhere?.remove();
});
beforeEach(() => {
  printed = spyOn(console, "log").mockImplementation(() => {});
  complained = spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  printed?.mockRestore();
  complained?.mockRestore();
});

const config = (more: Record<string, string> = {}) => readConfig([], { ...house.settings, ...more });
const ask = (...words: string[]) => admin(words, config);
const lines = (mock: typeof printed) => mock?.mock.calls.splice(0).map(([line]) => String(line)) ?? [];
const told = (found: Finding | undefined) => found && `${found.state}: ${found.says}`;
const misunderstood = async (work: Promise<unknown>) => {
  const error = await work.catch((each: Error) => each);
  expect(error).toBeInstanceOf(Misunderstood);
  return (error as Error).message;
};

describe("hearth admin", () => {
  test("takes the words of its commands, no fewer, no more, and none that is empty", async () => {
    expect(await misunderstood(ask())).toStartWith("hearth admin needs one of these words: ");
    expect(await misunderstood(ask("explode"))).toStartWith("There is no hearth admin explode. There are: ");
    for (const words of [["disable"], ["disable", alice.username, "now"], ["disable", ""]])
      expect(await misunderstood(ask(...words))).toBe("hearth admin disable takes <user>.");
    expect(await misunderstood(ask("users", "a", "b"))).toContain("hearth admin users takes [part of");
    expect(await misunderstood(ask("settings", "PORT"))).toBe(
      "hearth admin settings takes no further words.",
    );
    expect((await alice.get("/auth/me")).status).toBe(200);
  });

  test("asks the server that runs, and prints its answer line by line; a refusal is code 1", async () => {
    expect(await ask("users", alice.username)).toBe(0);
    expect(lines(printed)).toEqual([
      expect.stringMatching(/^id +username/),
      expect.stringContaining(alice.email),
    ]);
    expect(await ask("disable", "nobody")).toBe(1);
    expect([lines(printed), lines(complained)]).toEqual([
      [],
      [expect.stringMatching(/^There is no account nobody/)],
    ]);
  });

  test("does the same while none runs, and waits for one that is just leaving", async () => {
    await house.shut();
    const lock = claim(join(house.settings.DATA_DIR ?? "", "hearth.db.lock"));
    setTimeout(() => lock.close(), 300);
    expect(await ask("make-admin", alice.username)).toBe(0);
    expect(lines(printed)).toEqual([`${alice.username} is an admin now.`]);
    await house.open();
    const { body } = await alice.get<{ instance_role: string }>("/auth/me");
    expect(body.instance_role).toBe("admin");
    expect(await ask("make-admin", olga.username)).toBe(0);
    expect(lines(printed)[0]).toContain("more than an admin");
  });

  test("makes no house where there is none", async () => {
    const DATA_DIR = join(elsewhere.path, "mistyped");
    await expect(admin(["users"], () => config({ DATA_DIR }))).rejects.toThrow(
      `There is no Hearth in ${DATA_DIR}`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

test("hearth ready says whether a server runs and is ready, by its code as well", async () => {
  expect(await ready(config())).toBe(0);
  expect(lines(printed)).toEqual(["ready"]);
  expect(await ready(config({ DATA_DIR: elsewhere.path }))).toBe(1);
  expect(lines(complained)).toEqual([`Not ready: no Hearth runs on ${elsewhere.path}.`]);
});

test("hearth migrate and hearth blobs say what they need before they touch anything", async () => {
  const inPostgres = config({ DATABASE_URL: "postgres://hearth@127.0.0.1:9/hearth" });
  const elsewhereConfig = config({ DATA_DIR: join(elsewhere.path, "mistyped") });
  for (const [to, stays] of [
    [undefined, false],
    ["mysql://x", false],
    ["postgres://x", true],
  ] as const)
    expect(await misunderstood(migrate(to, stays, config()))).toStartWith(
      "Say hearth migrate --to postgres://",
    );
  await expect(migrate("sqlite", false, config())).rejects.toThrow("This Hearth is in SQLite already");
  await expect(migrate("postgres://x", false, inPostgres)).rejects.toThrow("is in PostgreSQL already");
  for (const [to, stays] of [
    ["postgres://x", false],
    [undefined, true],
  ] as const)
    await expect(migrate(to, stays, elsewhereConfig)).rejects.toThrow("There is no Hearth in");
  for (const [words, to] of [
    [["copy"], undefined],
    [["copy"], "tape"],
    [["move"], "s3"],
    [["copy", "all"], "disk"],
  ] as [string[], string | undefined][])
    expect(await misunderstood(blobs(words, to, config()))).toBe(
      "Say hearth blobs copy --to s3, or --to disk.",
    );
  await expect(blobs(["copy"], "s3", config())).rejects.toThrow("The setting S3_URL is missing");
});

test.skipIf(!canStore)(
  "hearth blobs copies uploads to the store and back, lets go what went, and names what is damaged",
  async () => {
    const data = temporaryFolder();
    await using s3 = await startS3();
    await using store = await startFaultyStore(s3.url);
    const PATH = Bun.env.PATH ?? "";
    const uploads = join(data.path, "uploads");
    const settings = { DATA_DIR: data.path, PATH, ...s3.settings("uploads") };
    const idle = await makeHouse("SQLite", { DATA_DIR: data.path });
    await idle.open();
    const bob = await idle.person("bob");
    const texts = ["one", "two", "three", "gone"];
    const names: string[] = [];
    for (const text of texts) names.push((await upload(bob, `${text}.txt`, text)).url.replace("/files/", ""));
    await idle.shut();
    const [damaged = "", , , gone = ""] = names;
    // While its copy is compared, the file goes, as its message was deleted a day ago.
    store.before = async ({ method, url = "" }) => {
      if (method !== "GET" || !url.endsWith(gone)) return;
      const database = new Database(join(data.path, "hearth.db"));
      database.run("delete from uploads where filename = ?", [gone]);
      database.close();
      rmSync(join(uploads, gone), { force: true });
    };
    const S3_URL = `${store.url}/uploads`;
    expectDone(
      await hearth("blobs copy --to s3", { ...settings, S3_URL }),
      /^4 uploads in the S3 store .*: 4 copied and read back, 0\.0 MB; 0 there already\.\n1 of them went with deleted/,
    );
    const bucket = s3.folderOf("uploads");
    expect(
      readdirSync(bucket)
        .filter((name) => names.includes(name))
        .sort(),
    ).toEqual(names.slice(0, 3).sort());
    for (const name of names) rmSync(join(uploads, name), { force: true });
    writeFileSync(join(bucket, damaged), "xxx");
    const back = await hearth("blobs copy --to disk", settings);
    expect([back.exitCode, back.stdout]).toEqual([
      1,
      expect.stringContaining(`2 uploads in ${uploads}: 2 copied`),
    ]);
    expect(back.stderr).toContain(`1 upload did not arrive as written, the first is ${damaged}.`);
    expect(
      readdirSync(uploads)
        .filter((name) => name !== "tmp")
        .sort(),
    ).toEqual(names.slice(1, 3).sort());
    await idle.end();
    data.remove();
  },
);

test("hearth settings shows a wrong value before it says what is wrong, and no secret", async () => {
  const argv = ["--port", "a lot", "--gif-api-key", "herring", "--data-dir", elsewhere.path];
  await expect(showSettings(argv)).rejects.toThrow("The setting PORT must be ");
  const said = lines(printed);
  expect(said).toContainEqual(expect.stringMatching(/^PORT +a lot +argument$/));
  expect(said).toContainEqual(expect.stringMatching(/^GIF_API_KEY +\(hidden\) +argument$/));
  expect(said.join()).not.toContain("herring");
});

describe("hearth doctor", () => {
  const running = async (of: Config = config()) => (await checkRunning(of))[1];

  test("ends with code 1 where something is wrong, and with 0 where all is well or only noted", async () => {
    expect(await doctor(["--port", "many"], false)).toBe(1);
    expect(lines(printed)).toEqual([expect.stringMatching(/^wrong +settings +.*PORT/)]);
    const settings = ["--data-dir", house.settings.DATA_DIR ?? "", "--port", "0"];
    expect(await doctor(settings, false)).toBe(0);
    expect(lines(printed).filter((line) => line.startsWith("wrong"))).toEqual([]);
    // The page need not be built.
    await doctor([...settings, "--public-url", house.url], false);
    const said = lines(printed).join("\n");
    for (const about of [
      "data folder",
      "server",
      "database",
      "integrity",
      "port",
      "public address",
      "sockets",
    ])
      expect(said).toMatch(new RegExp(`^ok +${about} {2}`, "m"));
    for (const about of ["addresses", "forgery"]) expect(said).toMatch(new RegExp(`^ok +${about} {2}`, "m"));
    expect(await doctor(settings, true)).toBe(1);
    expect(lines(printed)[0]).toMatch(/^wrong +voice +/);
  });

  test("knows the server that runs, one of another version, one that does not answer, and none", async () => {
    const [found, server] = await checkRunning(config());
    expect(told(found)).toBe(`ok: Hearth ${version} runs at ${house.url}.`);
    expect(server).toMatchObject({ version, url: house.url, engine: "sqlite", pid: process.pid });
    expect(told((await checkRunning(config({ DATA_DIR: elsewhere.path })))[0])).toMatch(
      /^off: No Hearth runs on /,
    );
    const double = async (answer: string) => {
      const other = temporaryFolder();
      const socket = await listening(join(other.path, "hearth.sock"), answer);
      const [found] = await checkRunning(config({ DATA_DIR: other.path }));
      await new Promise((closed) => socket.close(closed));
      other.remove();
      return told(found);
    };
    const facts = ["0.0.1", "http://127.0.0.1:9", "sqlite"];
    expect(await double(`${JSON.stringify({ ok: true, lines: facts })}\n`)).toBe(
      `note: Version 0.0.1 runs at http://127.0.0.1:9, but ${version} is installed: start it again.`,
    );
    expect(await double("")).toMatch(/^wrong: The Hearth that runs on .* went away before it answered\.$/);
  });

  test("looks at a database that nobody uses: none yet, of today, older, newer, damaged", async () => {
    const [none] = await checkDatabase(config({ DATA_DIR: elsewhere.path }), undefined);
    expect(told(none)).toMatch(/^note: There is none yet/);
    expect(await checkIntegrity(config({ DATA_DIR: elsewhere.path }))).toBeUndefined();
    const idle = await makeHouse("SQLite", {}, undefined, true);
    await idle.open();
    await idle.shut();
    const look = async () => told((await checkDatabase(readConfig([], idle.settings), undefined))[0]);
    expect(await look()).toMatch(/^ok: SQLite 3\.\S+; its tables are those of this version\.$/);
    const file = join(idle.settings.DATA_DIR ?? "", "hearth.db");
    const lock = claim(`${file}.lock`);
    expect(await look()).toBe("wrong: A Hearth that has another data folder holds it. Check DATA_DIR.");
    lock.close();
    const change = (sql: string) => {
      const database = new Database(file);
      database.run(sql);
      database.close();
    };
    change("delete from kysely_migration where name = (select max(name) from kysely_migration)");
    expect(await look()).toMatch(
      /^note: SQLite .*; the next start brings its tables up to date \(1 steps\)\.$/,
    );
    change("insert into kysely_migration values ('9999_tomorrow', '2099-01-01T00:00:00.000Z')");
    expect(await look()).toMatch(/^wrong: It was written by a newer version of Hearth\./);
    expect(told(await checkIntegrity(readConfig([], idle.settings)))).toMatch(/^ok: /);
    for (const log of ["-wal", "-shm"]) rmSync(file + log, { force: true });
    writeFileSync(file, "no database ".repeat(1000));
    expect(told(await checkIntegrity(readConfig([], idle.settings)))).toMatch(/^wrong: The database /);
    await idle.end();
  });

  test("sees a move that was begun, until it is given up", async () => {
    const file = join(house.settings.DATA_DIR ?? "", "hearth.db");
    expect(await checkMove(config())).toBeUndefined();
    expect(await checkMove(config({ DATA_DIR: elsewhere.path }))).toBeUndefined();
    const source = sqliteEnd(file, "source");
    await beginJournal(source, (await source.tables()).slice(0, 2));
    expect(told(await checkMove(config()))).toMatch(/^note: A move out of this database was begun/);
    await removeJournal(source);
    await source.close();
    expect(await checkMove(config())).toBeUndefined();
  });

  test("looks whether the port is free, or who has it", async () => {
    expect(told(await checkPort(config(), await running()))).toBe(
      `ok: The running server answers at ${house.url}.`,
    );
    const away = { ...(await running())!, url: `http://127.0.0.1:${await freePort()}` };
    expect(told(await checkPort(config(), away))).toMatch(/^wrong: The running server does not answer at /);
    expect(told(await checkPort(config(), undefined))).toBe("note: PORT is 0: each start picks another one.");
    const port = String(await freePort());
    const look = async (PORT: string, HOST = "127.0.0.1") =>
      told(await checkPort(config({ PORT, HOST }), undefined));
    expect(await look(port)).toBe(`ok: 127.0.0.1:${port} is free.`);
    expect(await look(new URL(house.url).port)).toMatch(
      /^wrong: .* is taken by a Hearth with another data folder\.$/,
    );
    const program = await listening({ port: Number(port), host: "127.0.0.1" }, "");
    expect(await look(port)).toBe(`wrong: 127.0.0.1:${port} (HOST, PORT) is taken by another program.`);
    await new Promise((closed) => program.close(closed));
    expect(await look(port, "192.0.2.77")).toMatch(
      /^wrong: Nothing can listen on 192\.0\.2\.77:\d+ \(HOST, PORT\): /,
    );
  });
});

test("what is not understood is one sentence and code 2; without a word the help comes with it", async () => {
  const wrong = [
    "explode",
    "serve now",
    "doctor --check",
    "backup --stay a",
    "restore --to s3 a",
    "backup a b",
    "doctor x",
  ];
  const ended = await Promise.all(wrong.map((words) => hearth(words)));
  for (const [i, { exitCode, stdout, stderr }] of ended.entries()) {
    expect([wrong[i], exitCode, stdout]).toEqual([wrong[i], 2, ""]);
    expect(stderr).toEndWith(" See hearth help.\n");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  const [none, help] = await Promise.all([hearth(""), hearth("admin --help")]);
  expect([none.exitCode, help.exitCode, none.stdout]).toEqual([2, 0, help.stdout]);
  for (const each of ["serve", "admin disable <user>", "restore --check <file>", "migrate --stay", "ready"])
    expect(help.stdout).toContain(`hearth ${each}`);
});

/** A program that answers each connection with this text, and hangs up. */
function listening(where: string | { port: number; host: string }, answer: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  return new Promise((open) => server.listen(where as never, () => open(server)));
}
