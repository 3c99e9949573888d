// Migrations run in the order of their numbers, on every database in the same one.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";
import { CannotStart } from "../cannot-start.ts";
import { appliedMigrations, expanding } from "./migrate.ts";

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
    // One that would have to change these tables itself does not know what it would change.
    const own = database.migrate({ ...before, ...noting("8002_of_its_own") });
    expect(await own.catch((error) => error)).toBeInstanceOf(CannotStart);
    await database.migrate({ ...before, ...grown, ...noting("8003_shrunk") });
    const older = database.migrate({ ...before, ...grown });
    expect(await older.catch((error) => error.message)).toContain("a newer version of Hearth");
    expect(ran).not.toContain("8002_of_its_own");
  });
});
