// Events that thousands answer to: counted when they answer, never when somebody reads.
import { expect, test } from "bun:test";
import { crowd, fill } from "../../tests/house/crowd.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { plansForEach } from "../../tests/house/plans.ts";
import { statementsOf } from "../../tests/house/statements.ts";

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

    const { answer: listed, statements } = await statementsOf(async () => {
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
    expect((await statementsOf(leaving)).rowsInOneTurn).toBeLessThan(100);
    expect((await list(stage.olga))[0]).toMatchObject({ maybe_count: many, no_count: 1 });
  });
});
