// Deleting the parent of very many rows: it is gone at once, and its rows are swept later, in pieces, whatever happens.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { comeIn, crowd, fill, react } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { inTime } from "../../tests/house/scenes/plans.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { TableName } from "../database/database.ts";
import { sweeping } from "./sweeping.ts";

const many = 1500;

onEachEngine("deleting what many hang on", (house) => {
  beforeAll(() => house().quiet());

  async function rowsOf(table: TableName, column: string, ids: readonly string[]): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join(ids)})`.execute(house().running.house.database.read);
    return Number(rows[0]?.n);
  }

  test("messages with thousands of reactions: they are gone, their reactions follow a few hundred at a time", async () => {
    const { alice, bob, home } = await neighbours(house());
    const people = await crowd(house(), alice, many);
    const ids: string[] = [];
    for (const content of ["one", "two", "three"]) {
      const { id } = await alice.say(home.general.id, content);
      await react(house(), id, "👍", people);
      ids.push(id);
    }
    const kept = await alice.say(home.general.id, "four");
    await bob.post(`/messages/${kept.id}/reactions`, { emoji: "👍" });

    const bulk = () => alice.post(`/channels/${home.general.id}/messages/bulk-delete`, { message_ids: ids });
    expect(await changes(house(), async () => expect(verdict(await bulk())).toBe("204"))).toBeLessThan(100);
    expect(verdict(await bob.get(`/messages/${ids[0]}/reactions`))).toBe("404 not_found");
    expect((await bob.get<{ id: string }[]>(`/channels/${home.general.id}/messages`)).body).toHaveLength(1);
    const { rowsInOneTurn } = await statementsOf(house(), () => sweep(house()));
    expect(rowsInOneTurn).toBeLessThanOrEqual(250);
    expect(await rowsOf("reactions", "message_id", ids)).toBe(0);
    expect(await rowsOf("reaction_counts", "message_id", ids)).toBe(0);
    expect((await bob.get<unknown>(`/messages/${kept.id}/reactions`)).body).toEqual([
      { emoji: "👍", count: 1, user_ids: [bob.id] },
    ]);
  });

  test("a role of thousands: nobody holds it any more, in no list, by no right, and not after another like it came", async () => {
    const { alice, bob, carol, home } = await neighbours(house());
    const kick = await alice.giveRole(home.id, bob, permission.KICK_MEMBERS);
    await comeIn(house(), home.id, await crowd(house(), alice, many), kick.id);
    const held = async () =>
      (await alice.get<{ role_ids: string[] }[]>(`/servers/${home.id}/members?limit=1000`)).body.flatMap(
        (member) => member.role_ids,
      );
    expect((await held()).length).toBeGreaterThan(900);

    const remove = () => alice.delete(`/servers/${home.id}/roles/${kick.id}`);
    expect(await changes(house(), async () => expect(verdict(await remove())).toBe("204"))).toBeLessThan(100);
    expect(await held()).toEqual([]);
    expect((await bob.get<unknown[]>(`/servers/${home.id}/members/${bob.id}/roles`)).body).toEqual([]);
    const ear = await bob.listen();
    const servers = ear.frames[0]?.data.servers as unknown;
    expect(servers).toEqual([expect.objectContaining({ id: home.id, role_ids: [] })]);
    ear.close();
    expect(verdict(await bob.delete(`/servers/${home.id}/members/${carol.id}`))).toBe("403 forbidden");
    const other = await alice.giveRole(home.id, bob, permission.KICK_MEMBERS);
    await sweep(house());
    expect(await rowsOf("member_roles", "role_id", [kick.id])).toBe(0);
    expect(await held()).toEqual([other.id]);
    expect(verdict(await bob.delete(`/servers/${home.id}/members/${carol.id}`))).toBe("204");
  });

  test("a server of thousands: nobody is in it any more, shares it, or gets in again, before and after its rows are swept", async () => {
    const { alice, bob, carol, mallory, home } = await neighbours(house());
    const role = await alice.giveRole(home.id, bob, permission.KICK_MEMBERS);
    const people = await crowd(house(), alice, many);
    await comeIn(house(), home.id, people, role.id);
    const banned = people.map((user_id) => ({
      server_id: home.id,
      user_id,
      reason: null,
      created_at: Date.now(),
    }));
    await fill(house(), "bans", banned);
    const { code } = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
    const nobodysRows = async (n: "none" | "some") => {
      const left = [
        await rowsOf("members", "server_id", [home.id]),
        await rowsOf("member_roles", "server_id", [home.id]),
        await rowsOf("bans", "server_id", [home.id]),
        await rowsOf("invites", "server_id", [home.id]),
      ];
      return n === "none" ? left.every((each) => each === 0) : left.every((each) => each > 0);
    };

    const remove = () => alice.delete(`/servers/${home.id}`);
    expect(await changes(house(), async () => expect(verdict(await remove())).toBe("204"))).toBeLessThan(100);
    for (const swept of [false, true]) {
      if (swept) await sweep(house());
      expect(await nobodysRows(swept ? "none" : "some")).toBe(true);
      const answers = [
        await bob.get(`/servers/${home.id}`),
        await bob.get(`/servers/${home.id}/members`),
        await bob.get(`/users/${carol.id}`),
        await bob.put(`/blocks/${people[0]}`),
        await mallory.get(`/invites/${code}`),
        await mallory.post(`/invites/${code}/join`),
        await bob.post(`/invites/${code}/join`),
        await bob.delete(`/invites/${code}`),
      ];
      expect(verdicts(answers)).toEqual(answers.map(() => "404 not_found"));
      expect((await bob.get<unknown[]>("/servers")).body).toEqual([]);
      const ear = await bob.listen();
      expect(ear.frames[0]?.data.servers as unknown).toEqual([]);
      ear.close();
    }
  });

  test("an event with thousands of answers, called off, forgotten in time, or gone with its server", async () => {
    const { alice, bob, home } = await neighbours(house());
    const people = await crowd(house(), alice, many);
    const planned = async (serverId = home.id) => {
      const plan = { title: "Tea", starts_at: inTime(3600_000) };
      const { id } = (await alice.post<{ id: string }>(`/servers/${serverId}/events`, plan)).body;
      await fill(
        house(),
        "rsvps",
        people.map((user_id) => ({ event_id: id, user_id, status: "going" })),
      );
      return id;
    };
    const other = await alice.makeServer();
    const [off, gone] = [await planned(), await planned(other.id)];
    const callOff = () => alice.delete(`/events/${off}`);
    expect(await changes(house(), async () => expect(verdict(await callOff())).toBe("204"))).toBeLessThan(50);
    const end = () => alice.delete(`/servers/${other.id}`);
    expect(await changes(house(), async () => expect(verdict(await end())).toBe("204"))).toBeLessThan(50);
    expect(verdicts([await bob.put(`/events/${off}/rsvp`, { status: "no" })])).toEqual(["404 not_found"]);
    await sweep(house());
    expect(await rowsOf("rsvps", "event_id", [off, gone])).toBe(0);
  });

  test("a channel's messages go with their reactions, a few hundred rows at a time", async () => {
    const { alice, home } = await neighbours(house());
    const { id: channelId } = (
      await alice.post<{ id: string }>("/channels", { server_id: home.id, name: "old" })
    ).body;
    const people = await crowd(house(), alice, 30);
    const first = await alice.say(channelId, "first");
    const { read } = house().running.house.database;
    const row = await read
      .selectFrom("messages")
      .selectAll()
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    const said = Array.from({ length: many }, () => ({ ...row, id: Bun.randomUUIDv7() }));
    await fill(house(), "messages", said);
    for (const { id } of said.slice(0, 20)) await react(house(), id, "👍", people);

    await alice.delete(`/channels/${channelId}`);
    const { rowsInOneTurn } = await statementsOf(house(), () => sweep(house()));
    expect(rowsInOneTurn).toBeLessThanOrEqual(500);
    const ids = said.map((each) => each.id);
    expect(await rowsOf("messages", "channel_id", [channelId])).toBe(0);
    expect(await rowsOf("channels", "id", [channelId])).toBe(0);
    expect(await rowsOf("reactions", "message_id", ids.slice(0, 20))).toBe(0);
    expect(await rowsOf("reaction_counts", "message_id", ids.slice(0, 20))).toBe(0);
  });

  test("a sweep that was cut off goes on by itself after the next start", async () => {
    const { alice, home } = await neighbours(house());
    const people = await crowd(house(), alice, many);
    const { id } = await alice.say(home.general.id, "one");
    await react(house(), id, "👍", people);
    await alice.delete(`/messages/${id}`);
    expect(await sweeping.run(house().running.house)).toBe(true);
    const left = await rowsOf("reactions", "message_id", [id]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(many);
    await house().restart();
    await until(async () => (await rowsOf("reactions", "message_id", [id])) === 0, "nobody swept on");
    await until(
      async () => (await rowsOf("sweeps", "id", [id])) === 0,
      "what was swept is still to be swept",
    );
  });

  test("no deletion takes rows along by a foreign key, but where they are few", async () => {
    expect(await cascades(house())).toEqual([
      // At most a hundred per server, deleted as the bot leaves its servers, before its own row.
      "commands.bot_id",
      // One row per stream.
      "log_walks.stream",
      // Twenty per person.
      "passkeys.user_id",
      // One per person.
      "password_resets.user_id",
      // The pushes pending for one browser.
      "push_deliveries.subscription_id",
      // One browser of a session.
      "push_subscriptions.session_id",
      // One preview of a picture.
      "uploads.preview_of",
    ]);
  });
});

/** Rows that SQLite changed during `work`, those deleted by foreign keys included; 0 on PostgreSQL. */
async function changes(house: TestHouse, work: () => Promise<unknown>): Promise<number> {
  const { database } = house.running.house;
  if (database.engine !== "sqlite") {
    await work();
    return 0;
  }
  const count = () =>
    database.transaction(async (db) => {
      const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db);
      return Number(rows[0]?.n);
    });
  const before = await count();
  await work();
  return (await count()) - before;
}

/** Columns with cascading deletes: their rows are deleted with the row that they refer to. */
async function cascades(house: TestHouse): Promise<string[]> {
  const { read, engine } = house.running.house.database;
  const query =
    engine === "sqlite"
      ? sql<{ name: string }>`select tables.name || '.' || keys."from" as name
          from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
          where tables.type = 'table' and keys.on_delete = 'CASCADE'`
      : sql<{ name: string }>`select conrelid::regclass || '.' || attname as name
          from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
          where contype = 'f' and confdeltype = 'c'`;
  const { rows } = await query.execute(read);
  return rows.map((row) => row.name).sort();
}
