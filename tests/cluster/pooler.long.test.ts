// PgBouncer in transaction mode before the database: no lock and no setting lives in a session.
import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { expectDone, hearth } from "../cli/hearth.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { insisted } from "../house/machine/insisted.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { makeHouse, TestHouse } from "../house/open/engines.ts";
import { hasPooler, startPooler } from "../house/servers/pooler.ts";

const canPool = canCluster && hasPooler;
const missing = canCluster ? "PgBouncer" : "PostgreSQL or Redis";
const postgresUrl = Bun.env.HEARTH_TEST_POSTGRES ?? "";

describe.skipIf(!canPool)(canPool ? "a pooler" : `a pooler (skipped: no ${missing} here)`, () => {
  test("that lends 30 connections serves two processes, whose writers wait for one another", async () => {
    await using pooler = await startPooler(postgresUrl, 30);
    await using cluster = await makeCluster();
    const url = throughPooler(cluster.settings("one").DATABASE_URL ?? "", pooler.url);
    const [one, other] = ["one", "other"].map(
      (name) => new TestHouse("PostgreSQL", { ...cluster.settings(name), DATABASE_URL: url }, async () => {}),
    ) as [TestHouse, TestHouse];
    await using houses = new AsyncDisposableStack();
    for (const house of [one, other]) houses.defer(() => house.end());
    await one.open();
    await other.open();
    const alice = await one.person("alice");
    const home = await alice.makeServer();
    const ear = await at(other.url, alice).listen();
    const path = `/channels/${home.general.id}/messages`;
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => {
        const here = at([one, other][i % 2]!.url, alice);
        if (i % 3 === 0) return insisted(() => here.patch(`/servers/${home.id}`, { name: `name ${i}` }));
        return insisted(() => here.post<Message>(path, { content: `message ${i}`, nonce: `${i}` }));
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const heard = () => ear.frames.filter(({ type }) => type === "MESSAGE_CREATE").length;
    await until(() => heard() >= 200, "some are missing");
    expect(heard()).toBe(200);
    for (const setting of ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"])
      expect(new Set(await settingOfAll(url, setting))).toEqual(new Set(["0"]));
  });

  test("lets a locked row hold up its server alone, and ends a transaction that stands still", async () => {
    await using pooler = await startPooler(postgresUrl, 30);
    const plain = await makeHouse("PostgreSQL", {});
    const url = throughPooler(plain.settings.DATABASE_URL ?? "", pooler.url);
    const house = new TestHouse("PostgreSQL", { ...plain.settings, DATABASE_URL: url }, async () => {});
    const holder = new pg.Client({ connectionString: plain.settings.DATABASE_URL });
    try {
      await house.open();
      await holder.connect();
      const alice = await house.person("alice");
      const [held, other] = [await alice.makeServer(), await alice.makeServer()];
      /** Returns false if the wait for the lock ended before the messages in the other server were sent. */
      async function saidBesideHeld(): Promise<boolean> {
        await holder.query("begin");
        await holder.query("select from streams where stream = $1 for update", [`server:${held.id}`]);
        let isAnswered = false;
        const waiting = alice
          .post(`/channels/${held.general.id}/messages`, { content: "later" })
          .finally(() => {
            isAnswered = true;
          });
        for (let i = 0; i < 5; i++) await alice.say(other.general.id, `${i}`);
        if (isAnswered) return false;
        await holder.query("rollback");
        expect((await waiting).status).toBe(201);
        return true;
      }
      // A wait for a row lock ends after 13 s. A busy machine may take longer for five messages: then try again.
      while (!(await saidBesideHeld())) await holder.query("rollback");
      const { database } = house.running.house;
      const standsStill = database.transaction(async (db) => {
        await sql`select 1`.execute(db);
        // Blocks the event loop, as in a stopped process.
        Bun.sleepSync(5000);
      });
      expect(database.isAway(await standsStill.catch((error) => error))).toBe(true);
      await alice.say(held.general.id, "on another connection");
    } finally {
      await holder.end();
      for (const each of [house, plain]) await each.end();
    }
  });

  test("a Hearth moves through it into PostgreSQL, and back", async () => {
    await using pooler = await startPooler(postgresUrl, 30);
    const [embedded, empty] = [await makeHouse("SQLite", {}), await makeHouse("SQLite", {})];
    const postgres = await makeHouse("PostgreSQL", {});
    try {
      await embedded.open();
      const alice = await embedded.person("alice");
      const home = await alice.makeServer();
      const { id } = await alice.say(home.general.id, "taken along");
      await embedded.shut();
      const url = throughPooler(postgres.settings.DATABASE_URL ?? "", pooler.url);
      const settings = { PATH: Bun.env.PATH ?? "", ...embedded.settings };
      expectDone(await hearth(`migrate --to ${url}`, settings), /messages: 1 rows, .* the same at both ends/);
      const back = { ...settings, DATA_DIR: empty.settings.DATA_DIR ?? "", DATABASE_URL: url };
      expectDone(await hearth("migrate --to sqlite", back), /messages: 1 rows, .* the same at both ends/);
      await empty.open();
      const { body } = await at(empty.url, alice).get<Message[]>(`/channels/${home.general.id}/messages`);
      expect(body.map((message) => message.id)).toEqual([id]);
    } finally {
      for (const house of [embedded, empty, postgres]) await house.end();
    }
  });

  test("serves two processes without a Redis, which hear each other", async () => {
    await using pooler = await startPooler(postgresUrl, 30);
    const plain = await makeHouse("PostgreSQL", {});
    const url = throughPooler(plain.settings.DATABASE_URL ?? "", pooler.url);
    const folder = temporaryFolder();
    const first = new TestHouse("PostgreSQL", { ...plain.settings, DATABASE_URL: url }, async () => {});
    const second = new TestHouse("PostgreSQL", { ...first.settings, DATA_DIR: folder.path }, async () => {});
    try {
      await first.open();
      await second.open();
      const alice = await first.person("alice");
      const home = await alice.makeServer();
      const ear = await at(second.url, alice).listen();
      await alice.say(home.general.id, "through the pooler");
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "through the pooler" });
    } finally {
      for (const house of [first, second, plain]) await house.end();
      folder.remove();
    }
  });
});

/** The address of `url`'s database through the pooler. */
function throughPooler(url: string, pooler: string): string {
  const through = new URL(pooler);
  through.pathname = new URL(url).pathname;
  return through.href;
}

/** The value of a setting on each of the pooler's connections. */
async function settingOfAll(url: string, setting: string): Promise<string[]> {
  const clients = Array.from({ length: 30 }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const shown = await Promise.all(
    clients.map(async (client) => {
      // An open transaction holds one of the pooler's connections until all have one.
      await client.query("begin");
      const { rows } = await client.query(`show ${setting}`);
      return String(rows[0]?.[setting]);
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  return shown;
}
