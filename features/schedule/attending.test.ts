// Who comes to a scheduled event, and what becomes of it when its people, its channel or its server go.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { ScheduledEvent } from "./contract.ts";

const hour = 3600_000;
const day = 24 * hour;
const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();

onEachEngine("coming to an event", (house) => {
  let [olga, bob, carol]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, bob, carol] = await Promise.all(["olga", "bob", "carol"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
  });

  const plan = (more: Record<string, unknown> = {}, by = bob) =>
    by!.post<ScheduledEvent>(`/servers/${home.id}/events`, {
      title: "Tea",
      starts_at: inTime(hour),
      ...more,
    });
  const list = async (by = bob) => (await by!.get<ScheduledEvent[]>(`/servers/${home.id}/events`)).body;
  const answer = (id: string, status: string, by = bob) => by!.put(`/events/${id}/rsvp`, { status });
  /** As time would: what was planned is moved into the past. */
  const letPass = (id: string, ms: number) =>
    house().running.house.write(async ({ db }) => {
      const row = db.selectFrom("scheduled_events").selectAll().where("id", "=", id);
      const { starts_at, ends_at, over_at } = await row.executeTakeFirstOrThrow();
      const changes = {
        starts_at: starts_at - ms,
        ends_at: ends_at === null ? null : ends_at - ms,
        over_at: over_at - ms,
      };
      await db.updateTable("scheduled_events").set(changes).where("id", "=", id).execute();
    });

  test("each says once whether they come; the last word counts, and each sees their own", async () => {
    const { id } = (await plan()).body;
    for (const status of ["no", "maybe", "going", "going"])
      expect((await answer(id, status)).status).toBe(204);
    await answer(id, "maybe", olga);
    const counts = { going_count: 1, maybe_count: 1, no_count: 0 };
    expect((await list(bob))[0]).toMatchObject({ ...counts, my_rsvp: "going" });
    expect((await list(olga))[0]).toMatchObject({ ...counts, my_rsvp: "maybe" });
    await answer(id, "no", olga);
    expect((await list(olga))[0]).toMatchObject({
      going_count: 1,
      maybe_count: 0,
      no_count: 1,
      my_rsvp: "no",
    });
    for (const odd of [{}, { status: "perhaps" }, { status: null }]) {
      expect(verdict(await bob!.put(`/events/${id}/rsvp`, odd))).toBe("400 invalid_request");
    }
    await letPass(id, 2 * day);
    expect(verdict(await answer(id, "going", olga))).toBe("409 conflict");
    expect((await list(olga))[0]).toMatchObject({ no_count: 1, my_rsvp: "no" });
  });

  test("many answers at once are each counted once", async () => {
    const { id } = (await plan()).body;
    const said = ["going", "maybe", "no"].flatMap((status) =>
      Array.from({ length: 6 }, () => answer(id, status)),
    );
    expect(new Set(verdicts(await Promise.all(said)))).toEqual(new Set(["204"]));
    const [event] = await list();
    expect((event?.going_count ?? 0) + (event?.maybe_count ?? 0) + (event?.no_count ?? 0)).toBe(1);
  });

  test("who leaves does not come any more; what they planned stays, in the hands of those who manage", async () => {
    await olga!.bringIn(home.id, carol!);
    const { id } = (await plan({}, carol)).body;
    await answer(id, "going", carol);
    await answer(id, "going");
    await carol!.delete(`/servers/${home.id}/members/@me`);
    expect(await list(olga)).toEqual([
      expect.objectContaining({ id, creator_id: carol!.id, going_count: 1 }),
    ]);
    expect(verdict(await carol!.delete(`/events/${id}`))).toBe("404 not_found");
    await olga!.bringIn(home.id, carol!);
    expect((await list(carol))[0]).toMatchObject({ my_rsvp: null, going_count: 1 });
    await olga!.delete(`/servers/${home.id}/members/${bob!.id}`);
    expect((await list(olga))[0]).toMatchObject({ going_count: 0 });
    expect((await olga!.delete(`/events/${id}`)).status).toBe(204);
  });

  test("an event loses its channel with it, and who cannot see channels is not told of one", async () => {
    const room = (await olga!.post<{ id: string }>("/channels", { server_id: home.id, name: "room" })).body;
    await plan({ channel_id: room.id });
    await olga!.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    expect((await list(bob))[0]?.channel_id).toBeNull();
    expect((await list(olga))[0]?.channel_id).toBe(room.id);
    expect(verdict(await plan({ channel_id: room.id }))).toBe("400 invalid_request");
    await olga!.delete(`/channels/${room.id}`);
    expect((await list(olga))[0]?.channel_id).toBeNull();
    expect(verdict(await plan({ channel_id: room.id }, olga))).toBe("400 invalid_request");
  });

  test("a deleted server's events and answers go with it", async () => {
    const { id } = (await plan()).body;
    await answer(id, "going");
    await olga!.delete(`/servers/${home.id}`);
    expect(verdicts([await answer(id, "no"), await bob!.delete(`/events/${id}`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    const { read } = house().running.house.database;
    expect(await read.selectFrom("scheduled_events").selectAll().where("id", "=", id).execute()).toEqual([]);
    expect(await read.selectFrom("rsvps").selectAll().where("event_id", "=", id).execute()).toEqual([]);
  });
});
