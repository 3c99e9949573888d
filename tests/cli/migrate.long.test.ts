// `hearth migrate`, as real processes: to PostgreSQL and back while people write, killed halfway, and refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, setupCodeIn, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { answersTo, pathsTo, publicUrl } from "../start/release/known.ts";
import { moveIn, type Stage } from "../start/release/scene.ts";
import { examine, expectDone, expectRefused, hearth } from "./hearth.ts";

const { PATH = "" } = Bun.env;
const moved = "This Hearth has moved. Ask the operator where it is now.";
const title = Bun.env.HEARTH_TEST_POSTGRES
  ? "hearth migrate"
  : "hearth migrate (skipped: no PostgreSQL binaries here)";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(title, () => {
  let embedded: TestHouse;
  let postgres: TestHouse;
  let givenUp: TestHouse;
  let server: ServerProcess;
  let stage: Stage;
  const host = { url: "" };
  const inPostgres = () => ({
    ...embedded.settings,
    DATABASE_URL: postgres.settings.DATABASE_URL ?? "",
    PATH,
  });
  const inSqlite = () => ({ ...embedded.settings, PATH });
  const file = () => join(embedded.settings.DATA_DIR ?? "", "hearth.db");

  async function serve(settings: Record<string, string>): Promise<void> {
    await server?.stop();
    server = await startServer({ settings });
    host.url = server.url;
  }

  beforeAll(async () => {
    embedded = await makeHouse("SQLite", { PUBLIC_URL: publicUrl });
    postgres = await makeHouse("PostgreSQL", {});
    givenUp = await makeHouse("PostgreSQL", {});
    await serve(inSqlite());
    const { stdout } = await hearth("admin setup-code", inSqlite());
    stage = await moveIn(Object.assign(host, { setupCode: setupCodeIn(stdout) ?? "" }));
  });
  afterAll(async () => {
    await server?.stop();
    await embedded?.end();
    await postgres?.end();
    await givenUp?.end();
  });

  /** All answers to the people of the scene, except for who is connected. */
  async function everything(): Promise<unknown> {
    const { people, garden, kitchen, attic, rooms, bot, talk } = stage;
    const ids = {
      ...rooms,
      garden: garden.id,
      kitchen: kitchen.id,
      attic: attic.id,
      general: garden.general.id,
    };
    const known = {
      people,
      ids: { ...ids, bot: bot.id, shown: talk.shown, taken: talk.shown },
      invite: "none",
    };
    const all: unknown[] = [];
    for (const who of [people.ada, people.ben, people.cleo, bot])
      all.push(await answersTo(who as never, pathsTo(known as never)));
    // Markers of the last second before the end were only in memory, as when a server is killed.
    const text = JSON.stringify(all);
    const moves = `("channel_id":"${garden.general.id}","last_read_id":)"[^"]+"`;
    return JSON.parse(text.replaceAll(new RegExp(moves, "g"), '$1""'));
  }

  test("what is not understood, what is there already, and what holds something else is refused", async () => {
    const { DATABASE_URL = "" } = postgres.settings;
    for (const words of ["migrate", "migrate --to mysql://x", `migrate --stay --to ${DATABASE_URL}`])
      expectRefused(await hearth(words, inSqlite()), "Say hearth migrate --to postgres://", 2);
    expectRefused(await hearth("migrate --to sqlite", inSqlite()), "is in SQLite already");
    expectRefused(await hearth(`migrate --to ${DATABASE_URL}`, inPostgres()), "is in PostgreSQL already");
    expectRefused(await hearth("migrate --to sqlite", inPostgres()), "start it here once first");
    expectRefused(
      await hearth("migrate --to postgres://nobody:secret@127.0.0.1:1/none", inSqlite()),
      /The database in --to does not answer/,
    );
    await inDatabase(DATABASE_URL, "create table letters (a text)");
    expectRefused(
      await hearth(`migrate --to ${DATABASE_URL}`, inSqlite()),
      "it has letters, and is no half-done copy",
    );
    await inDatabase(DATABASE_URL, "drop table letters");
    expectDone(await hearth("migrate --stay", inSqlite()), "No move was begun from");
  });

  test("into PostgreSQL beside people who write, killed half-way and again: a listener misses nothing, the old one is shut", async () => {
    const { DATABASE_URL = "" } = postgres.settings;
    const { ada } = stage.people;
    const ear = await ada.listen();
    const crowd = startCrowd(ada, stage.garden.general.id);
    const command = `migrate --to ${DATABASE_URL}`;
    const elsewhere = `migrate --to ${givenUp.settings.DATABASE_URL}`;
    await killAt("copied users", givenUp.settings.DATABASE_URL, elsewhere, inSqlite());
    for (const sign of ["moving_arrival", "copied events", "copied users", "cursor"])
      await killAt(sign, DATABASE_URL, command, inSqlite());
    expectRefused(await hearth("serve", inPostgres()), "has not come to its end");
    expectRefused(
      await hearth(`backup ${file()}.tar`, { PATH, ...postgres.settings }),
      "has not come to its end",
    );
    expect((await examine(inPostgres())).findings.move).toMatch(/^wrong: .*has not come to its end/);
    expect((await examine(inSqlite())).findings.move).toMatch(/^note: A move out of this database was begun/);
    const before = crowd.said.length;
    const ended = await hearth(command, inSqlite());
    expectDone(ended, /users: \d+ rows, SHA-256 [0-9a-f]{16}, the same at both ends/);
    expect(ended.stdout).toMatch(/while writers waited, for \d+\.\d s/);
    await crowd.stopped;
    expect(crowd.said.length).toBeGreaterThan(before);
    expect(crowd.refusal?.status).toBe(503);
    expect(crowd.refusal?.error).toBe(moved);
    expect(crowd.refusal?.retryAfter).toBeTruthy();
    const shown = await everything();
    const point = await cutOff(ear);

    // The old data is frozen: a backup of it would pass for a current one.
    expectRefused(await hearth(`backup ${file()}.tar`, inSqlite()), "This Hearth has moved to PostgreSQL, ");
    await serve(inPostgres());
    const resumed = await expectNoHole(ada, ear, point, crowd.said);
    expect(await everything()).toEqual(shown);
    await ada.say(stage.garden.general.id, "The new house is dry.");
    await resumed.next("MESSAGE_CREATE");
    resumed.close();
    expectRefused(
      await hearth("serve", inSqlite()),
      /This Hearth has moved to PostgreSQL, .* run hearth migrate --stay/,
    );
    expectRefused(
      await hearth(`migrate --to ${DATABASE_URL}`, inSqlite()),
      "has moved already, to PostgreSQL",
    );
    expect((await examine(inSqlite())).findings.move).toMatch(/^wrong: This Hearth has moved to PostgreSQL/);
    expect((await examine(inPostgres())).findings.move).toBeUndefined();
    // A partial copy in another database does not complete this move.
    expectRefused(await hearth(elsewhere, inSqlite()), "has moved already, to PostgreSQL");
  });

  test("and back, beside the old file only where that is put aside; the epoch and the numbers are the same", async () => {
    const { ada } = stage.people;
    expectRefused(await hearth("migrate --to sqlite", inPostgres()), "is no half-done copy of this Hearth");
    const aside = join(embedded.settings.DATA_DIR ?? "", "aside");
    mkdirSync(aside);
    for (const name of readdirSync(join(file(), "..")))
      if (name.startsWith("hearth.db")) renameSync(join(file(), "..", name), join(aside, name));
    const ear = await ada.listen();
    const crowd = startCrowd(ada, stage.garden.general.id);
    await killWhen("migrate --to sqlite", inPostgres(), () => existsSync(file()));
    await killAt("moving_changes", inPostgres().DATABASE_URL, "migrate --to sqlite", inPostgres());
    expectDone(await hearth("migrate --to sqlite", inPostgres()), /events: \d+ rows, SHA-256/);
    await crowd.stopped;
    expect(crowd.refusal?.status).toBe(503);
    expect(crowd.refusal?.error).toBe(moved);
    const shown = await everything();
    const point = await cutOff(ear);

    await serve(inSqlite());
    (await expectNoHole(ada, ear, point, crowd.said)).close();
    expect(await everything()).toEqual(shown);
    expectRefused(await hearth("serve", inPostgres()), "has moved to ");
    expectRefused(await hearth(`backup ${file()}.tar`, { PATH, ...postgres.settings }), "has moved to ");
    expect((await examine(inPostgres())).findings.move).toMatch(/^wrong: This Hearth has moved to/);
    // Neither side deleted anything.
    expectDone(await hearth("migrate --stay", { ...inSqlite(), DATA_DIR: aside }), "goes on there");
    await serve({ ...inSqlite(), DATA_DIR: aside });
    // Its log differs from here on, so clients do not resume in it from positions of the other.
    const back = await ada.listen(point);
    await back.settle();
    expect(back.heard("READY").length).toBe(1);
    expect(back.resumePoint.epoch).not.toBe(point.epoch);
    back.close();
  });
});

interface Crowd {
  said: string[];
  refusal?: { status: number; error: string; retryAfter: string | null };
  stopped: Promise<unknown>;
}

/** Four people post until they are told that it has moved; those told to retry do so. */
function startCrowd(person: TestPerson, channelId: string): Crowd {
  const crowd: Crowd = { said: [], stopped: Promise.resolve() };
  crowd.stopped = Promise.all(
    Array.from({ length: 4 }, async (_, who) => {
      for (let i = 0; crowd.refusal?.error !== moved; i++) {
        const words = { content: `${who} says ${i}`, nonce: crypto.randomUUID() };
        const post = () => person.post<Message>(`/channels/${channelId}/messages`, words);
        let answer = await post();
        for (; answer.status > 201; answer = await post()) {
          const { error } = answer.body as unknown as { error: string };
          crowd.refusal = { status: answer.status, error, retryAfter: answer.headers.get("Retry-After") };
          if (error === moved) return;
          await Bun.sleep(100);
        }
        crowd.said.push(answer.body.id);
      }
    }),
  );
  return crowd;
}

async function cutOff(ear: Ear) {
  await ear.settle();
  // As if the second half had not been received.
  const heard = ear.heard("MESSAGE_CREATE");
  ear.close();
  await ear.closed;
  const kept = heard[Math.floor(heard.length / 2)];
  const point = ear.resumePoint;
  if (!kept?.server_id || kept.seq === undefined) throw new Error("nothing was heard");
  return {
    ...point,
    streams: { ...point.streams, [kept.server_id]: kept.seq },
    seen: { ...point.seen, [kept.server_id]: kept.ts },
  };
}

/** Over both connections together the listener has received each acknowledged post once, in order. */
async function expectNoHole(
  person: TestPerson,
  before: Ear,
  point: Awaited<ReturnType<typeof cutOff>>,
  said: readonly string[],
): Promise<Ear> {
  const resumed = await person.listen(point);
  await resumed.settle();
  expect(resumed.heard("READY")).toEqual([]);
  const heard = [
    ...before
      .heard("MESSAGE_CREATE")
      .filter(({ server_id, seq }) => (seq ?? 0) <= (point.streams[server_id ?? ""] ?? 0)),
    ...resumed.heard("MESSAGE_CREATE"),
  ].map(({ data }) => String(data.id));
  expect(heard).toEqual([...said].sort());
  return resumed;
}

async function killWhen(
  words: string,
  settings: Record<string, string>,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, ["cli/main.ts", ...words.split(" ")], {
    env: settings,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await until(
    async () => child.exitCode !== null || (await isSo()),
    `it never came to the point of ${words}`,
  );
  child.kill("SIGKILL");
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
}

/** Kills a move once it has written `sign`, a table with rows or a key. The locked table keeps it from going on. */
async function killAt(
  sign: string,
  url: string | undefined,
  words: string,
  settings: Record<string, string>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await killWhen(words, settings, () => holdsAt(sign, client));
  } finally {
    await client.end();
  }
}

/** Returns true once the move has written `sign`; the table then stays locked until the connection ends. */
async function holdsAt(sign: string, client: pg.Client): Promise<boolean> {
  const [table, where] = sign.startsWith("moving_")
    ? [sign, ""]
    : ["moving_arrival", `where key = '${sign}'`];
  await client.query("begin");
  try {
    await client.query(`lock table ${table} in share row exclusive mode`);
    if ((await client.query(`select from ${table} ${where}`)).rowCount) return true;
  } catch {
    // The table does not exist yet.
  }
  await client.query("rollback");
  return false;
}

async function inDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
