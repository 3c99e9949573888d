// The steps of a move, in both directions: concurrent changes are copied, differences found, the source shut.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import {
  beginArrival,
  checkReferences,
  expectTarget,
  isHalfDone,
  prepareArrival,
} from "../../cli/moving/arrival.ts";
import { countRows, type End, type Table } from "../../cli/moving/end.ts";
import { beginJournal, expectJournal, moveOf, removeJournal } from "../../cli/moving/journal.ts";
import { catchUp, copyTables, handOver, type Move, prove } from "../../cli/moving/move.ts";
import { postgresEnd } from "../../cli/moving/postgres.ts";
import { sqliteEnd } from "../../cli/moving/sqlite.ts";
import { sumTables } from "../../cli/moving/sums.ts";
import type { Message } from "../../features/messages/contract.ts";
import { migrateToLatest } from "../../server/database/migrate.ts";
import { expectHome, markOf } from "../../server/database/moved.ts";
import { features } from "../../server/features.ts";
import { allMigrations } from "../../server/open.ts";
import { until } from "../house/machine/waiting.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { crowd } from "../house/scenes/crowd.ts";
import { verdict } from "../permissions/verdict.ts";

const ways: [from: Engine, to: Engine][] = [
  ["SQLite", "SQLite"],
  ["SQLite", "PostgreSQL"],
  ["PostgreSQL", "SQLite"],
];

function endOf({ settings }: TestHouse, role: "source" | "target"): Promise<End> {
  const { DATABASE_URL, DATA_DIR = "" } = settings;
  if (DATABASE_URL !== undefined) return postgresEnd(DATABASE_URL, role);
  return Promise.resolve(sqliteEnd(join(DATA_DIR, "hearth.db"), role));
}

/** Tables that both engines have. */
async function tablesOf(source: End): Promise<Table[]> {
  const empty = sqliteEnd(":memory:", "target");
  await migrateToLatest(empty.db, allMigrations(features, "sqlite"));
  const names = new Set((await empty.tables()).map(({ name }) => name));
  await empty.close();
  return (await source.tables()).filter(({ name }) => names.has(name) && !name.startsWith("kysely_"));
}

for (const [from, to] of ways) {
  const isHere = (from === "SQLite" && to === "SQLite") || Bun.env.HEARTH_TEST_POSTGRES;
  describe.skipIf(!isHere)(`a move from ${from} to ${to}`, () => {
    let [house, other]: TestHouse[] = [];
    let source: End;
    let target: End;
    let tables: Table[];
    let move: Move;
    let [alice, bob]: TestPerson[] = [];
    let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
    const said: Message[] = [];
    const lines: string[] = [];
    const here = () => house!.running.house.database;
    const say = async (content: string) => said.push(await alice!.say(home.general.id, content));

    beforeAll(async () => {
      house = await makeHouse(from, {});
      other = await makeHouse(to, {});
      await house.open();
      await house.quiet();
      [alice, bob] = [await house.person("alice"), await house.person("bob")];
      home = await alice.makeServer();
      await alice.bringIn(home.id, bob);
      // More rows than one page.
      await crowd(house, alice, 2100);
      for (let i = 0; i < 20; i++) await say(`said before, ${i}`);
      [source, target] = [await endOf(house, "source"), await endOf(other, "target")];
      tables = await tablesOf(source);
      move = { source, target, tables, say: (line) => void lines.push(line), doing() {} };
    });
    afterAll(async () => {
      await source?.close();
      await target?.close();
      await house?.end();
      await other?.end();
    });

    test("begins with a name that stays, and keeps servers from a target that is not filled yet", async () => {
      expect(tables.length).toBeGreaterThan(40);
      expect(await moveOf(source)).toBeUndefined();
      const name = await beginJournal(source, tables);
      expect([await beginJournal(source, tables), await moveOf(source)]).toEqual([name, name]);
      await beginArrival(target, name);
      await migrateToLatest(target.db, allMigrations(features, target.engine));
      await target.tables();
      await prepareArrival(target, source.name);
      expect([await isHalfDone(target, name), await isHalfDone(target, "another")]).toEqual([true, false]);
      expect(await isHalfDone(target, name, "end")).toBe(false);
      await expectTarget(target, name, "users");
      for (const wrong of [undefined, "another"])
        await expect(expectTarget(target, wrong, "users")).rejects.toThrow("is not empty: it has users");
      await expect(expectHome(target.db)).rejects.toThrow("has not come to its end");
      await expectHome(source.db);
    });

    test("goes on where it was broken off, and brings over what changes meanwhile", async () => {
      let [pages, left] = [0, 0];
      // Each table ends with an empty page.
      for (const table of tables) left += Math.ceil((await countRows(source.db, table)) / 2000) + 1;
      const doing = () => {
        pages++;
        if (pages === 30) throw new Error("broken off");
      };
      await expect(copyTables({ ...move, doing })).rejects.toThrow("broken off");
      await change();
      await copyTables({ ...move, doing: () => void pages++ });
      expect(pages).toBeWithin(left, left + 5);
      await change();
      await catchUp(move);
      await prove(move);
      expect(lines).toHaveLength(tables.length);
      expect(lines).toContainEqual(
        expect.stringMatching(/^users: 2102 rows, SHA-256 [0-9a-f]{16}, the same/),
      );
    });

    /** Inserts, changes and deletes rows, changes a key, and swaps two names. */
    async function change(): Promise<void> {
      await say("said meanwhile");
      const [first, second] = said.splice(0, 2);
      await alice!.patch(`/messages/${first?.id}`, { content: "said otherwise" });
      await alice!.delete(`/messages/${second?.id}`);
      await bob!.patch("/auth/me", { display_name: `Bob ${said.length}` });
      await here().transaction(async (db) => {
        const keyOf = async ({ id }: TestPerson) =>
          (await db.selectFrom("users").select("username_key").where("id", "=", id).executeTakeFirstOrThrow())
            .username_key;
        const set = (id: string, username_key: string) =>
          db.updateTable("users").set({ username_key }).where("id", "=", id).execute();
        const [hers, his] = [await keyOf(alice!), await keyOf(bob!)];
        await set(alice!.id, "nobody's");
        await set(bob!.id, hers);
        await set(alice!.id, his);
        const longer = { word: sql<string>`word || 'x'` };
        await db.updateTable("name_words").set(longer).where("user_id", "=", alice!.id).execute();
      });
    }

    test("is not handed over while a row is another, too many or too few, or names one that is not there", async () => {
      // The proof copies recent changes once more, which would repair such a row.
      const old = said.find(({ content }) => content === "said before, 19");
      const inTarget = () => target.db.updateTable("messages").where("id", "=", old?.id ?? "");
      await inTarget().set({ content: "never said" }).execute();
      await expect(prove(move)).rejects.toThrow("The table messages is not the same in the copy");
      await inTarget()
        .set({ content: old?.content ?? "" })
        .execute();
      const orphan = { server_id: home.id, user_id: old?.id ?? "", joined_at: 1, joined_id: home.id };
      await target.db.insertInto("members").values(orphan).execute();
      await expect(checkReferences(target)).rejects.toThrow();
      await expect(handOver(move)).rejects.toThrow("The last changes of the table members did not arrive");
      await target.db.deleteFrom("members").where("user_id", "=", orphan.user_id).execute();
      await prove(move);
      // Not handed over: the source stays in use.
      await expectHome(source.db);
      await say("still here");
    });

    test("hands over all that was said; then the old one is shut until the move is given up, and another log begins", async () => {
      await catchUp(move);
      const epoch = await markOf(source.db, "epoch");
      expect(await handOver(move)).toBeGreaterThan(0);
      const others = tables.filter(({ name }) => name !== "instance");
      expect(await sumTables(target.db, others)).toEqual(await sumTables(source.db, others));
      expect(await markOf(target.db, "epoch")).toBe(epoch);
      await expectHome(target.db);
      if (target.engine === "postgres") {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_constraint
          where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(target.db);
        expect(rows[0]?.count).toBeGreaterThan(5);
      }
      expect((await target.tables()).map(({ name }) => String(name))).not.toContain("moving_arrival");

      await expect(expectHome(source.db)).rejects.toThrow(`This Hearth has moved to ${target.name}`);
      const post = () => alice!.post(`/channels/${home.general.id}/messages`, { content: "anybody?" });
      expect(verdict(await post())).toBe("503 unavailable");
      for (const act of ["delete from messages", "update messages set content = 'x'"])
        await expect(here().transaction((db) => sql.raw(act).execute(db))).rejects.toThrow();

      expect([await removeJournal(source), await removeJournal(source)]).toEqual([true, false]);
      expect([await moveOf(source), await markOf(source.db, "epoch")]).toEqual([undefined, undefined]);
      await expectHome(source.db);
      await until(async () => verdict(await post()) === "201", "it does not go on");
      await expect(expectJournal(source, source.db, tables)).rejects.toThrow("Run hearth migrate --stay");
    });
  });
}
