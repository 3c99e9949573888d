// A database from before counts were stored and deletions swept: it is migrated in place, with all of its data.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Message } from "../../features/messages/contract.ts";
import { readConfig } from "../../server/config/config.ts";
import type { Database, Row } from "../../server/database/database.ts";
import { openDatabase } from "../../server/database/open.ts";
import { features } from "../../server/features.ts";
import { allMigrations } from "../../server/open.ts";
import { lowestId } from "../../server/tokens.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { inTime } from "../house/scenes/plans.ts";
import { sweep } from "../house/scenes/swept.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const [server, channel, deleted, role, message, spoken, event] = Array.from({ length: 7 }, () =>
  Bun.randomUUIDv7(),
) as [string, string, string, string, string, string, string];
const [ada, ben, cid] = Array.from({ length: 3 }, () => Bun.randomUUIDv7()) as [string, string, string];
const then = Date.now() - 1000;

for (const engine of engines) {
  describe(`a database of an older Hearth on ${engine}`, () => {
    let house: TestHouse;
    let dora: TestPerson;

    beforeAll(async () => {
      house = await makeHouse(engine, {});
      await writeOld(house);
      await house.open();
      dora = await TestPerson.register(house, "dora");
      await house.running.house.write(async ({ db }) => {
        await db
          .insertInto("members")
          .values({ server_id: server, user_id: dora.id, joined_at: then, joined_id: lowestId })
          .execute();
        await db.updateTable("servers").set({ owner_id: dora.id }).where("id", "=", server).execute();
      });
    }, 400_000);
    afterAll(() => house?.end());

    test("shows what people reacted with, by the order of the first, and takes more", async () => {
      const reactions = async () => (await dora.get<Message>(`/messages/${message}`)).body.reactions;
      expect(await reactions()).toEqual([
        { emoji: "🐸", count: 2, me: false },
        { emoji: "👍", count: 1, me: false },
      ]);
      await dora.post(`/messages/${message}/reactions`, { emoji: "👍" });
      expect(await reactions()).toEqual([
        { emoji: "🐸", count: 2, me: false },
        { emoji: "👍", count: 2, me: true },
      ]);
      expect((await dora.get<unknown>(`/messages/${message}/reactions`)).body).toEqual([
        { emoji: "🐸", count: 2, user_ids: [ben, ada] },
        { emoji: "👍", count: 2, user_ids: [ada, dora.id] },
      ]);
    });

    test("finds its members by name", async () => {
      for (const [q, id] of [
        [ada.slice(0, 20), ada],
        [ben.slice(-12), ben],
        [dora.username, dora.id],
      ] as const) {
        const { body } = await dora.get<{ user: { id: string } }[]>(`/servers/${server}/members?q=${q}`);
        expect(body.map(({ user }) => user.id)).toContain(id);
      }
      const { body } = await dora.get<unknown[]>(`/servers/${server}/members?q=old%20frie`);
      expect(body).toHaveLength(3);
    });

    test("knows who comes to what is planned", async () => {
      const counts = async () => (await dora.get<unknown[]>(`/servers/${server}/events`)).body[0];
      expect(await counts()).toMatchObject({ id: event, going_count: 2, maybe_count: 0, no_count: 1 });
      await dora.put(`/events/${event}/rsvp`, { status: "maybe" });
      expect(await counts()).toMatchObject({ going_count: 2, maybe_count: 1, no_count: 1, my_rsvp: "maybe" });
    });

    test("keeps roles with their holders, and invites that lead somewhere", async () => {
      const held = await dora.get<{ id: string }[]>(`/servers/${server}/members/${ada}/roles`);
      expect(held.body.map((each) => each.id)).toContain(role);
      const { body } = await dora.get<{ code: string }[]>(`/servers/${server}/invites`);
      expect(body.map((invite) => invite.code)).toEqual(["endless", "timed"]);
      for (const [code, status] of [
        ["endless", 200],
        ["timed", 200],
        ["over", 410],
        ["used", 410],
      ] as const)
        expect([code, (await dora.get(`/invites/${code}`)).status]).toEqual([code, status]);
    });

    test("knows who is on do-not-disturb, and whose mention of many was pushed a moment ago", async () => {
      const { read } = house.running.house.database;
      const hours = await read.selectFrom("availability").select(["user_id", "dnd_now"]).execute();
      expect(hours).toEqual([{ user_id: cid, dnd_now: 1 }]);
      const mentions = await read.selectFrom("push_mentions_of_many").selectAll().execute();
      expect(mentions).toEqual([{ sender_id: ada, channel_id: channel, mentioned_at: then }]);
    });

    test("goes on sweeping the channels that were deleted, and what hangs on a message goes after it", async () => {
      expect((await dora.delete(`/channels/${channel}`)).status).toBe(204);
      await sweep(house);
      const { read } = house.running.house.database;
      for (const table of ["channels", "messages", "reactions", "reaction_counts"] as const)
        expect(await read.selectFrom(table).selectAll().execute()).toEqual([]);
    });
  });
}

/** Writes a database as a Hearth from before those migrations left it. */
async function writeOld({ settings }: TestHouse): Promise<void> {
  const database = await openDatabase(readConfig([], settings));
  try {
    const all = Object.entries(allMigrations(features, database.engine));
    await database.migrate(Object.fromEntries(all.filter(([name]) => name < "0029")));
    await insertAll(database, [
      ...[ada, ben, cid].map((id) => ["users", person(id)] as const),
      ["servers", { id: server, name: "Old", icon: null, owner_id: ada, member_count: 4, created_at: then }],
      ["streams", { server_id: server, seq: 0, version: 1 }],
      ["roles", roleRow(Bun.randomUUIDv7(), "@everyone", 1)],
      ["roles", roleRow(role, "gardeners", 0)],
      ...[ada, ben, cid].map(
        (id) => ["members", { server_id: server, user_id: id, joined_at: then }] as const,
      ),
      ["member_roles", { server_id: server, user_id: ada, role_id: role }],
      ["channels", channelRow(channel, null)],
      ["channels", channelRow(deleted, then)],
      ["messages", messageRow(message, channel)],
      ["messages", messageRow(spoken, deleted)],
      ["reactions", { message_id: message, emoji: "🐸", user_id: ada, created_at: then - 1 }],
      ["reactions", { message_id: message, emoji: "👍", user_id: ada, created_at: then - 2 }],
      ["reactions", { message_id: message, emoji: "🐸", user_id: ben, created_at: then - 3 }],
      ["reactions", { message_id: spoken, emoji: "🐸", user_id: ben, created_at: then }],
      ["scheduled_events", eventRow()],
      ["rsvps", { event_id: event, user_id: ada, status: "going" }],
      ["rsvps", { event_id: event, user_id: ben, status: "going" }],
      ["rsvps", { event_id: event, user_id: cid, status: "no" }],
      ["invites", inviteRow("timed", { created_at: then, expires_at: then + 3600_000 })],
      ["invites", inviteRow("endless", { created_at: then + 1, max_uses: 2, uses: 1 })],
      ["invites", inviteRow("over", { expires_at: then })],
      ["invites", inviteRow("used", { max_uses: 2, uses: 2 })],
      ["availability", hoursRow()],
      ["push_calls_to_many", { sender_id: ada, channel_id: channel, called_at: then }],
    ]);
  } finally {
    await database.close();
  }
}

/** Inserts rows by their own columns: today's tables and columns have other names, or are not all there yet. */
async function insertAll(database: Database, rows: readonly (readonly [string, Row])[]): Promise<void> {
  await database.transaction(async (db) => {
    for (const [table, row] of rows) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
        db,
      );
    }
  });
}

function person(id: string): Row {
  return { id, username: id, username_key: id, display_name: "Old Friend", created_at: then };
}

function roleRow(id: string, name: string, is_default: 0 | 1): Row {
  return { id, server_id: server, name, color: "#000000", permissions: 3, position: 0, is_default };
}

function channelRow(id: string, deleted_at: number | null): Row {
  const named = { name: "old", type: "text", category: null, position: 0 };
  return { id, server_id: server, ...named, created_at: then, deleted_at };
}

function messageRow(id: string, channel_id: string): Row {
  const mentions = { mention_user_ids: "[]", mention_role_ids: "[]", mentions_everyone: 0 };
  return {
    id,
    channel_id,
    server_id: server,
    author_id: ada,
    content: "Well?",
    ...mentions,
    created_at: then,
  };
}

function eventRow(): Row {
  const starts_at = Date.parse(inTime(3600_000));
  const planned = { title: "Tea", description: "", starts_at, over_at: starts_at + 1000, created_at: then };
  return { id: event, server_id: server, creator_id: ada, ...planned };
}

/** The hours of a person who is never available, and always on do-not-disturb. */
function hoursRow(): Row {
  const never = { time_zone: "UTC", windows: "[]", dnd_outside: 1, due_at: null };
  return { user_id: cid, ...never, undisturbed: 1 };
}

function inviteRow(code: string, more: Row): Row {
  const plain = { expires_at: null, max_uses: 0, uses: 0, created_at: then - 1000 };
  return { code, server_id: server, inviter_id: ada, ...plain, ...more };
}
