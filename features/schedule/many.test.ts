// Events with thousands of answers: counted when people answer, never when somebody reads.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { newId } from "../../server/tokens.ts";
import { longestText } from "../../tests/house/material/texts.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { plansForEach } from "../../tests/house/scenes/plans.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";

const many = 2000;

onEachEngine("events that thousands answer to", (house) => {
  const { stage, plan, list, answer } = plansForEach(house);

  test("are listed, planned, changed and answered without counting", async () => {
    const { id } = (await plan()).body;
    const people = await crowd(house(), stage.olga, many);
    await fill(
      house(),
      "rsvps",
      people.map((user_id) => ({ event_id: id, user_id, status: "maybe" })),
    );
    await house().running.house.database.transaction((db) =>
      db.updateTable("scheduled_events").set({ maybe_count: many }).where("id", "=", id).execute(),
    );

    const { answer: listed, statements } = await statementsOf(house(), async () => {
      await answer(id, "going");
      await answer(id, "maybe");
      await answer(id, "maybe");
      await answer(id, "no", stage.olga);
      await stage.bob.patch(`/events/${id}`, { title: "Coffee" });
      await plan();
      return list();
    });
    expect(listed[0]).toMatchObject({
      title: "Coffee",
      going_count: 0,
      maybe_count: many + 1,
      no_count: 1,
      my_rsvp: "maybe",
    });
    const counted = statements.filter((sql) => /"rsvps"/.test(sql) && /count\s*\(|group by/i.test(sql));
    expect(counted).toEqual([]);

    const leaving = () => stage.bob.delete(`/servers/${stage.home.id}/members/@me`);
    expect((await statementsOf(house(), leaving)).rowsInOneTurn).toBeLessThan(100);
    expect((await list(stage.olga))[0]).toMatchObject({ maybe_count: many, no_count: 1 });
  });

  test("as many as there may be, with all that is said of them, are listed some at a time", async () => {
    const { database } = house().running.house;
    const { id } = (await plan()).body;
    const model = await database.read
      .selectFrom("scheduled_events")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const description = "🐸".repeat(limits.event_description_max);
    const rows = Array.from({ length: 190 }, (_, i) => {
      const over_at = i < 90 ? model.over_at + i : Date.now() - i * 1000;
      return { ...model, id: newId(), description, over_at, starts_at: model.starts_at + i };
    });
    await fill(house(), "scheduled_events", rows);
    const { answer: listed, characters } = await longestText(list);
    expect(new Set(listed.map((event) => event.id)).isSupersetOf(new Set(rows.map((row) => row.id)))).toBe(
      true,
    );
    expect(characters).toBeLessThan(150_000);
  });
});
