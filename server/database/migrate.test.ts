// Migrations run in the order of their numbers, the same on every database; a replaced table keeps its rows. A start
// refuses a database that has moved, or that a move has not filled yet.
import { expect, test } from "bun:test";
import { type Migration, sql } from "kysely";
import { makeHouse, onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import { CannotStart } from "../cannot-start.ts";
import { forget, keep } from "./instance.ts";
import { appliedMigrations, expanding } from "./migrate.ts";
import { arrivalTable, arrivingKey, expectHome, movedKey } from "./moved.ts";
import { replaceTable } from "./replace-table.ts";

onEachEngine("a database that has been through all migrations", (house) => {
  const without = { up: async () => {} };
  const ran: string[] = [];
  const noting = (name: string) => ({ [name]: { up: async () => void ran.push(name) } });
  const known = async () =>
    Object.fromEntries(
      (await appliedMigrations(house().running.house.database.read)).map((name) => [name, without]),
    );

  test("refuses one with a lower number by name, and runs one with a higher", async () => {
    const { database } = house().running.house;
    const before = await known();
    const late = database.migrate({ ...before, ...noting("0001_a_late_one") });
    const last = Object.keys(before).at(-1);
    expect(await late.catch((error) => error)).toEqual(
      new CannotStart(
        `The migration 0001_a_late_one cannot run after ${last}, which this database has been through: give it a number above that.`,
      ),
    );
    expect(await known()).toEqual(before);
    await database.migrate({ ...before, ...noting("8000_the_next") });
    expect(ran).toEqual(["8000_the_next"]);
    expect(Object.keys(await known())).toEqual([...Object.keys(before), "8000_the_next"]);
  });

  test("by a newer Hearth is refused, unless what it did since only expands the tables", async () => {
    const { database } = house().running.house;
    const before = await known();
    const grown = { "8001_grown": expanding({ up: async () => {} }) };
    await database.migrate({ ...before, ...grown });
    await database.migrate(before);
    // A release with a migration of its own for these tables does not know the newer tables that it would change.
    const own = database.migrate({ ...before, ...noting("8002_of_its_own") });
    expect(await own.catch((error) => error)).toBeInstanceOf(CannotStart);
    await database.migrate({ ...before, ...grown, ...noting("8003_shrunk") });
    const older = database.migrate({ ...before, ...grown });
    expect(await older.catch((error) => error.message)).toContain("a newer version of Hearth");
    expect(ran).not.toContain("8002_of_its_own");
  });
});

test("a long table that is replaced keeps every row, takes its columns as it is told, and says how far it is", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  await house.quiet();
  const many = 200_001;
  const told: string[] = [];
  const found = await house.running.house.database.transaction(async (typed) => {
    const db = typed as unknown as Parameters<Migration["up"]>[0];
    const create = async (name: string) => {
      await sql`create table ${sql.table(name)} (place text, n integer, primary key (place, n))`.execute(db);
    };
    await sql`create table notes (board text, n integer, primary key (board, n))`.execute(db);
    await sql`insert into notes with recursive count(n) as
      (select 0 union all select n + 1 from count where n < ${many - 1}) select 'board ' || (n % 3), n from count`.execute(
      db,
    );
    const columns = { place: "'at ' || board", n: "n" };
    await replaceTable(db, { table: "notes", create, key: ["board", "n"], columns }, (line) =>
      told.push(line),
    );
    const { rows } = await sql`select count(*) as rows, count(distinct n) as numbers, max(n) as last,
      sum(place = 'at board ' || (n % 3)) as placed from notes`.execute(db);
    await sql`drop table notes`.execute(db);
    return rows;
  });
  expect(found).toEqual([{ rows: many, numbers: many, last: many - 1, placed: many }]);
  expect(told).toEqual([
    "100000 rows of the table notes are brought up to date",
    "200000 rows of the table notes are brought up to date",
  ]);
  await house.end();
});

onOneProcess("a database", (house) => {
  test("that has moved, or that a move has not filled yet, is none to start on, each with a sentence", async () => {
    const { database } = house().running.house;
    const said = () => expectHome(database.read).catch((error) => error);
    const marked = async (key: string) => {
      await database.transaction((db) => keep(db, key, "the other one"));
      const says = await said();
      await database.transaction((db) => forget(db, key));
      return says;
    };
    expect(await said()).toBeUndefined();
    const [moved, arriving] = [await marked(movedKey), await marked(arrivingKey)];
    for (const error of [moved, arriving]) expect(error).toBeInstanceOf(CannotStart);
    expect(moved.message).toContain(
      "This Hearth has moved to the other one: start it with the settings for that",
    );
    expect(arriving.message).toContain("A move into this database has not come to its end");
    // A move that was killed before the tables existed.
    await database.transaction(async (db) => {
      await sql`create table ${sql.table(arrivalTable)} (key text)`.execute(db);
    });
    expect(await said()).toBeUndefined();
    await database.transaction((db) => forget(db, "epoch"));
    expect((await said()).message).toBe(arriving.message);
  });

  test("that has moved is not opened by a start", async () => {
    const own = await makeHouse(house().engine, {}, undefined, true);
    await own.open();
    await own.running.house.database.transaction((db) => keep(db, movedKey, "the other one"));
    await own.shut();
    await expect(own.open()).rejects.toThrow("This Hearth has moved to the other one");
    await own.end();
  });
});
