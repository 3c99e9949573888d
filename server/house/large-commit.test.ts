// An operation that appends very many rows: they are inserted into its commit in batches.
import { expect, spyOn, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { newId } from "../tokens.ts";

onEachEngine("a commit of very many rows", (house) => {
  test("lets others have their turn while they are written, and has all of them", async () => {
    const { house: running } = house().running;
    const inserting = spyOn(running.database, "insertRows");
    try {
      const ids = Array.from({ length: 1500 }, () => newId());
      await running.write(async (unit) => {
        for (const sender_id of ids)
          unit.append("push_mentions_of_many", { sender_id, channel_id: ids[0]!, mentioned_at: 1 });
      });
      expect(Math.max(...inserting.mock.calls.map(([, , rows]) => rows.length))).toBeLessThanOrEqual(600);
      const kept = await running.database.read
        .selectFrom("push_mentions_of_many")
        .select("sender_id")
        .where("channel_id", "=", ids[0]!)
        .execute();
      expect(kept.map(({ sender_id }) => sender_id).sort()).toEqual(ids);
    } finally {
      inserting.mockRestore();
    }
  });

  test("with a taken key among them has none of them", async () => {
    const { house: running } = house().running;
    const channel_id = newId();
    const ids = Array.from({ length: 40 }, () => newId());
    const writing = running.write(async (unit) => {
      for (const sender_id of [...ids, ids[0]!])
        unit.append("push_mentions_of_many", { sender_id, channel_id, mentioned_at: 1 });
    });
    expect(await writing.catch(({ code }) => code)).toBe(
      running.isShared ? "23505" : "SQLITE_CONSTRAINT_PRIMARYKEY",
    );
    const kept = running.database.read
      .selectFrom("push_mentions_of_many")
      .where("channel_id", "=", channel_id);
    expect(await kept.selectAll().execute()).toEqual([]);
  });
});
