// The highest id is found at the end of an index of each table: a start takes no longer when there is more to sweep.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { selectHighestId } from "./highest-id.ts";

const [far, farther] = ["fffffffd-0000-7000-8000-000000000000", "fffffffe-0000-7000-8000-000000000000"];

onEachEngine("the highest id", (house) => {
  test("is looked for where an index leads to it, for instance among the messages, and not among what is to be swept", async () => {
    const { database } = house().running.house;
    const alice = await house().person("alice");
    const { id } = await alice.say((await alice.makeServer()).general.id, "from far ahead");
    await database.transaction(async (db) => {
      await db.insertInto("sweeps").values({ name: "nothing", id: farther }).execute();
      await db.updateTable("messages").set({ id: far }).where("id", "=", id).execute();
    });
    expect(await selectHighestId(database)).toBe(far);
    await database.transaction((db) => db.deleteFrom("sweeps").where("id", "=", farther).execute());
  });
});
