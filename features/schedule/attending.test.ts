// Answers to scheduled events, and what happens when people leave, or a channel or server is deleted.
import { expect, test } from "bun:test";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { day, hour, inTime, plansForEach } from "../../tests/house/scenes/plans.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { ScheduledEvent } from "./contract.ts";

onEachEngine("coming to an event", (house) => {
  const { stage, plan, list, answer, letPass } = plansForEach(house);

  test("each says once whether they come; the last word counts, and each sees their own", async () => {
    const { id } = (await plan()).body;
    const other = (await plan({ starts_at: inTime(2 * hour) })).body;
    for (const status of ["no", "maybe", "going", "going"])
      expect((await answer(id, status)).status).toBe(204);
    await answer(id, "maybe", stage.olga);
    const counts = { going_count: 1, maybe_count: 1, no_count: 0 };
    expect((await list(stage.bob))[0]).toMatchObject({ ...counts, my_rsvp: "going" });
    expect((await list(stage.olga))[0]).toMatchObject({ ...counts, my_rsvp: "maybe" });
    await answer(id, "no", stage.olga);
    expect((await list(stage.olga))[0]).toMatchObject({
      going_count: 1,
      maybe_count: 0,
      no_count: 1,
      my_rsvp: "no",
    });
    expect((await list(stage.olga))[1]).toEqual(other);
    for (const odd of [{}, { status: "perhaps" }, { status: null }]) {
      expect(verdict(await stage.bob.put(`/events/${id}/rsvp`, odd))).toBe("400 invalid_request");
    }
    await letPass(id, 2 * day);
    expect(verdict(await answer(id, "going", stage.olga))).toBe("409 conflict");
    const over = (await list(stage.olga)).find((event) => event.id === id);
    expect(over).toMatchObject({ going_count: 1, no_count: 1, my_rsvp: "no" });
  });

  test("many answers at once are each counted once", async () => {
    const { id } = (await plan()).body;
    const said = ["going", "maybe", "no"].flatMap((status) =>
      Array.from({ length: 6 }, () => insisted(() => answer(id, status))),
    );
    expect(new Set(verdicts(await Promise.all(said)))).toEqual(new Set(["204"]));
    const [event] = await list();
    expect((event?.going_count ?? 0) + (event?.maybe_count ?? 0) + (event?.no_count ?? 0)).toBe(1);
  });

  test("who leaves does not come any more; what they planned stays, in the hands of those who manage", async () => {
    await stage.olga.bringIn(stage.home.id, stage.carol);
    const { id } = (await plan({}, stage.carol)).body;
    await answer(id, "going", stage.carol);
    await answer(id, "going");
    const elsewhere = await stage.carol.makeServer("Elsewhere");
    const path = `/servers/${elsewhere.id}/events`;
    const hers = (await stage.carol.post(path, { title: "Coffee", starts_at: inTime(hour) })).body;
    await answer(String(hers.id), "going", stage.carol);
    await stage.carol.delete(`/servers/${stage.home.id}/members/@me`);
    expect(await list(stage.olga)).toEqual([
      expect.objectContaining({ id, creator_id: stage.carol.id, going_count: 1 }),
    ]);
    expect(verdict(await stage.carol.delete(`/events/${id}`))).toBe("404 not_found");
    await stage.olga.bringIn(stage.home.id, stage.carol);
    expect((await list(stage.carol))[0]).toMatchObject({ my_rsvp: null, going_count: 1 });
    const [there] = (await stage.carol.get<ScheduledEvent[]>(path)).body;
    expect(there).toMatchObject({ my_rsvp: "going", going_count: 1 });
    await stage.olga.delete(`/servers/${stage.home.id}/members/${stage.bob.id}`);
    expect((await list(stage.olga))[0]).toMatchObject({ going_count: 0 });
    expect((await stage.olga.delete(`/events/${id}`)).status).toBe(204);
  });

  test("an event loses its channel with it, and who cannot see channels is not told of one", async () => {
    const room = (
      await stage.olga.post<{ id: string }>("/channels", { server_id: stage.home.id, name: "room" })
    ).body;
    await plan({ channel_id: room.id });
    await stage.olga.patch(`/servers/${stage.home.id}/roles/${stage.home.everyone.id}`, { permissions: 0 });
    expect((await list(stage.bob))[0]?.channel_id).toBeNull();
    expect((await list(stage.olga))[0]?.channel_id).toBe(room.id);
    expect(verdict(await plan({ channel_id: room.id }))).toBe("400 invalid_request");
    const { general } = stage.home;
    const other = (await plan({ channel_id: general.id, starts_at: inTime(2 * hour) }, stage.olga)).body;
    await stage.olga.delete(`/channels/${room.id}`);
    expect((await list(stage.olga)).map(({ channel_id }) => channel_id)).toEqual([null, general.id]);
    const { read } = house().running.house.database;
    const stored = read.selectFrom("scheduled_events").select("id").where("channel_id", "is not", null);
    expect(await stored.where("server_id", "=", stage.home.id).execute()).toEqual([{ id: other.id }]);
    expect(verdict(await plan({ channel_id: room.id }, stage.olga))).toBe("400 invalid_request");
  });

  test("the answers to an event that is called off go with it", async () => {
    const [off, on] = [(await plan()).body, (await plan()).body];
    for (const { id } of [off, on]) await answer(id, "going");
    expect((await stage.bob.delete(`/events/${off.id}`)).status).toBe(204);
    await sweep(house());
    const answers = house().running.house.database.read.selectFrom("rsvps").select("event_id");
    expect(await answers.where("event_id", "in", [off.id, on.id]).execute()).toEqual([{ event_id: on.id }]);
  });

  test("a deleted server's events and answers go with it, and no others", async () => {
    const { id } = (await plan()).body;
    await answer(id, "going");
    const elsewhere = await stage.bob.makeServer("Elsewhere");
    const path = `/servers/${elsewhere.id}/events`;
    const other = (await stage.bob.post<ScheduledEvent>(path, { title: "Tea", starts_at: inTime(hour) }))
      .body;
    await answer(other.id, "going");
    await stage.olga.delete(`/servers/${stage.home.id}`);
    expect(verdicts([await answer(id, "no"), await stage.bob.delete(`/events/${id}`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    await sweep(house());
    const { read } = house().running.house.database;
    expect(await read.selectFrom("scheduled_events").selectAll().where("id", "=", id).execute()).toEqual([]);
    expect(await read.selectFrom("rsvps").selectAll().where("event_id", "=", id).execute()).toEqual([]);
    expect((await stage.bob.get<ScheduledEvent[]>(path)).body).toEqual([
      { ...other, going_count: 1, my_rsvp: "going" },
    ]);
  });
});
