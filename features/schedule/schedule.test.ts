// Scheduled events: creating, listing, changing and deleting them, and who may.
import { expect, setSystemTime, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { day, hour, inTime, plansForEach } from "../../tests/house/scenes/plans.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { ScheduledEvent } from "./contract.ts";

onEachEngine("scheduled events", (house) => {
  const { stage, plan, list, answer, letPass } = plansForEach(house);

  test("any member plans one, and every member reads it as it was answered", async () => {
    const times = { starts_at: inTime(hour), ends_at: inTime(2 * hour) };
    const made = await plan({
      ...times,
      title: " Tea & cake ",
      description: "Bring\na cup",
      channel_id: stage.home.general.id,
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: made.body.id,
      server_id: stage.home.id,
      creator_id: stage.bob.id,
      title: "Tea & cake",
      description: "Bring\na cup",
      ...times,
      channel_id: stage.home.general.id,
      going_count: 0,
      maybe_count: 0,
      no_count: 0,
      my_rsvp: null,
    });
    expect(await list(stage.olga)).toEqual([made.body]);
    expect((await plan()).body).toMatchObject({ description: "", ends_at: null, channel_id: null });
    const long = { title: "t".repeat(100), description: "🐸".repeat(1000) };
    expect((await plan(long)).body).toMatchObject(long);
  });

  test("times come back in UTC, wherever the planner lives", async () => {
    const { body } = await plan({
      starts_at: "2130-01-31T20:00:00+02:00",
      ends_at: "2130-01-31T18:30:00.5Z",
    });
    expect([body.starts_at, body.ends_at]).toEqual(["2130-01-31T18:00:00.000Z", "2130-01-31T18:30:00.500Z"]);
  });

  test("odd plans are 400, and nothing is planned", async () => {
    const elsewhere = await stage.olga.makeServer("Elsewhere");
    const bobs = await stage.bob.makeServer("Bob's own");
    for (const odd of [
      { title: "" },
      { title: "t".repeat(101) },
      { title: "a\u202eb" },
      { title: undefined },
      { description: "d".repeat(1001) },
      { starts_at: undefined },
      { starts_at: "tomorrow" },
      { starts_at: Date.now() + hour },
      { starts_at: "2130-02-30T00:00:00Z" },
      { starts_at: "2130-01-01T00:00:00" },
      { starts_at: "9999-12-31T23:59:59-12:00" },
      { ends_at: inTime(hour / 2) },
      { starts_at: "2130-01-01T00:00:00Z", ends_at: "2130-01-01T00:00:00Z" },
      { starts_at: inTime(-2 * hour), ends_at: inTime(-hour) },
      { starts_at: inTime(-25 * hour) },
      { channel_id: elsewhere.general.id },
      { channel_id: bobs.general.id },
      { channel_id: stage.home.id },
      { channel_id: "the kitchen" },
    ]) {
      expect([odd, verdict(await plan(odd))] as unknown).toEqual([odd, "400 invalid_request"]);
    }
    expect(await list()).toEqual([]);
  });

  test("running and coming ones come by their start, then those that ended in the last week, the latest first", async () => {
    const titles = async () => (await list()).map(({ title }) => title);
    await plan({ title: "later", starts_at: inTime(3 * day) });
    await plan({ title: "running", starts_at: inTime(-hour), ends_at: inTime(hour) });
    await plan({ title: "soon" });
    const ids: Record<string, string> = {};
    for (const title of ["over", "long over", "forgotten", "without an end"]) {
      ids[title] = (
        await plan({ title, ends_at: inTime(2 * hour), ...(title.startsWith("w") && { ends_at: null }) })
      ).body.id;
    }
    await letPass(ids.over ?? "", day);
    await letPass(ids["long over"] ?? "", 7 * day);
    await letPass(ids.forgotten ?? "", 7 * day + 3 * hour);
    // It started 22 hours ago without an end, so it may still be running.
    await letPass(ids["without an end"] ?? "", 23 * hour);
    expect(await titles()).toEqual(["without an end", "running", "soon", "later", "over", "long over"]);
    const { forgotten = "" } = ids;
    expect(
      verdicts([
        await answer(forgotten, "going"),
        await stage.bob.patch(`/events/${forgotten}`, { title: "again" }),
        await stage.bob.delete(`/events/${forgotten}`),
      ]),
    ).toEqual(["404 not_found", "404 not_found", "404 not_found"]);
  });

  test("whoever planned it changes what they name, and nothing else", async () => {
    const before = (
      await plan({ description: "Bring a cup", ends_at: inTime(2 * hour), channel_id: stage.home.general.id })
    ).body;
    await answer(before.id, "going");
    const path = `/events/${before.id}`;
    const renamed = await stage.bob.patch<ScheduledEvent>(path, {
      title: "Coffee",
      creator_id: stage.olga.id,
      going_count: 9,
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ ...before, title: "Coffee", going_count: 1, my_rsvp: "going" });
    const cleared = await stage.bob.patch<ScheduledEvent>(path, {
      description: null,
      ends_at: null,
      channel_id: null,
    });
    expect(cleared.body).toEqual({ ...renamed.body, description: "", ends_at: null, channel_id: null });
    expect((await stage.bob.patch(path, {})).body as unknown).toEqual(cleared.body);
    expect(await list()).toEqual([cleared.body]);
    for (const odd of [
      { ends_at: before.starts_at },
      { starts_at: inTime(-2 * day) },
      { title: null },
      { channel_id: stage.home.id },
    ]) {
      expect([odd, verdict(await stage.bob.patch(path, odd))] as unknown).toEqual([
        odd,
        "400 invalid_request",
      ]);
    }
    expect(await list()).toEqual([cleared.body]);
  });

  test("an event that is over keeps its times, but its words may be put right", async () => {
    const { id } = (await plan({ ends_at: inTime(2 * hour) })).body;
    await letPass(id, day);
    expect((await stage.bob.patch(`/events/${id}`, { description: "It was nice" })).status).toBe(200);
    expect(verdict(await stage.bob.patch(`/events/${id}`, { starts_at: inTime(-30 * hour) }))).toBe(
      "400 invalid_request",
    );
    const again = await stage.bob.patch<ScheduledEvent>(`/events/${id}`, {
      starts_at: inTime(hour),
      ends_at: null,
    });
    expect(again.status).toBe(200);
    expect((await answer(id, "going")).status).toBe(204);
  });

  test("others need MANAGE_SERVER for it; strangers do not know of it", async () => {
    const { id } = (await plan({}, stage.olga)).body;
    const tries = async (by: TestPerson) =>
      verdicts([await by.patch(`/events/${id}`, { title: "Mine" }), await by.delete(`/events/${id}`)]);
    expect(await tries(stage.bob)).toEqual(["403 forbidden", "403 forbidden"]);
    expect(await tries(stage.carol)).toEqual(["404 not_found", "404 not_found"]);
    expect(
      verdicts([
        await answer(id, "going", stage.carol),
        await plan({}, stage.carol),
        await stage.carol.get(`/servers/${stage.home.id}/events`),
        await stage.carol.get(`/servers/${id}/events`),
      ]),
    ).toEqual(Array.from({ length: 4 }, () => "404 not_found"));
    expect((await list())[0]).toMatchObject({ title: "Tea", going_count: 0 });
    await stage.olga.giveRole(stage.home.id, stage.bob, permission.MANAGE_SERVER);
    expect(await tries(stage.bob)).toEqual(["200", "204"]);
    expect(await list()).toEqual([]);
  });

  test("a bot plans, changes and calls off its own, and comes to others'", async () => {
    const bot = await TestBot.make(stage.olga);
    await bot.enter(stage.home.id);
    const own = await bot.post<ScheduledEvent>(`/servers/${stage.home.id}/events`, {
      title: "Backup",
      starts_at: inTime(hour),
    });
    expect(own.body.creator_id).toBe(bot.id);
    const bobs = (await plan({ starts_at: inTime(2 * hour) })).body;
    expect(
      verdicts([
        await bot.patch(`/events/${own.body.id}`, { title: "Nightly backup" }),
        await bot.put(`/events/${bobs.id}/rsvp`, { status: "going" }),
        await bot.patch(`/events/${bobs.id}`, { title: "Mine" }),
        await bot.delete(`/events/${own.body.id}`),
      ]),
    ).toEqual(["200", "204", "403 forbidden", "204"]);
    await bot.delete(`/servers/${stage.home.id}/members/@me`);
    expect(await list()).toEqual([bobs]);
  });

  test("a server plans at most 100 things at once, and keeps the last 100 that are over", async () => {
    const { read } = house().running.house.database;
    const planned = read.selectFrom("scheduled_events").selectAll().where("server_id", "=", stage.home.id);
    await plan();
    const model = await planned.executeTakeFirstOrThrow();
    await fill(
      house(),
      "scheduled_events",
      Array.from({ length: 81 }, () => ({ ...model, id: newId() })),
    );
    const made = await Promise.all(Array.from({ length: 20 }, () => insisted(() => plan())));
    expect(verdicts(made).filter((each) => each === "409 conflict")).toHaveLength(2);
    expect(await list()).toHaveLength(100);
    // A past event becomes live again if there is room, like a new one.
    const past = { ...model, id: newId(), starts_at: model.starts_at - 2 * day, over_at: Date.now() - hour };
    await fill(house(), "scheduled_events", [past]);
    const again = { starts_at: inTime(hour) };
    expect(verdict(await stage.bob.patch(`/events/${past.id}`, again))).toBe("409 conflict");
    expect((await stage.bob.patch(`/events/${past.id}`, { title: "Was nice" })).status).toBe(200);
    expect((await answer(model.id, "going")).status).toBe(204);
    await house().running.house.write(async ({ db }) => {
      await db
        .updateTable("scheduled_events")
        .set({ over_at: Date.now() - hour })
        .where("server_id", "=", stage.home.id)
        .execute();
    });
    await letPass(model.id, hour);
    const path = `/servers/${(await stage.bob.makeServer("Elsewhere")).id}/events`;
    const elsewhere = (await stage.bob.post<ScheduledEvent>(path, { title: "Tea", starts_at: inTime(hour) }))
      .body;
    await letPass(elsewhere.id, 2 * day);
    for (let i = 0; i < 3; i++) {
      const { id } = (await plan({ title: `new ${i}` })).body;
      await letPass(id, 25 * hour);
    }
    await plan({ title: "the last" });
    const after = await list();
    expect(after).toHaveLength(101);
    expect(after.slice(0, 4).map(({ title }) => title)).toEqual(["the last", "new 2", "new 1", "new 0"]);
    expect(await planned.execute()).toHaveLength(101);
    expect((await stage.bob.get<ScheduledEvent[]>(path)).body.map(({ id }) => id)).toEqual([elsewhere.id]);
    await sweep(house());
    const answers = read.selectFrom("rsvps").selectAll().where("event_id", "=", model.id);
    expect(await answers.execute()).toEqual([]);
  });

  test("nothing of it goes over the gateway: clients fetch", async () => {
    const ear = await stage.olga.listen();
    const { id } = (await plan()).body;
    await answer(id, "going");
    await stage.bob.patch(`/events/${id}`, { title: "Coffee" });
    await stage.bob.delete(`/events/${id}`);
    await ear.settle();
    expect(ear.frames.filter((frame) => frame.seq !== undefined)).toEqual([]);
    ear.close();
  });

  // The last test: afterwards the server doubts its clock for a while.
  test("while the clock is doubted, a new plan takes the place of none that seems to be over", async () => {
    const { id } = (await plan()).body;
    const planned = house()
      .running.house.database.read.selectFrom("scheduled_events")
      .selectAll()
      .where("server_id", "=", stage.home.id);
    const [model] = await planned.where("id", "=", id).execute();
    const rows = Array.from({ length: 100 }, () => ({ ...model!, id: newId(), over_at: Date.now() - hour }));
    await fill(house(), "scheduled_events", rows);
    try {
      setSystemTime(Date.now() + 10 * day);
      expect((await plan()).status).toBe(201);
    } finally {
      setSystemTime();
    }
    expect(await planned.execute()).toHaveLength(102);
  });
});
