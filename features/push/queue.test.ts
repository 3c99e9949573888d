// Upgrading the queue of an older release: messages waiting in it are still pushed as mentions.
import { expect, test } from "bun:test";
import { sql } from "kysely";
import { readConfig } from "../../server/config/config.ts";
import type { Database } from "../../server/database/database.ts";
import { openDatabase } from "../../server/database/open.ts";
import { features } from "../../server/features.ts";
import { allMigrations } from "../../server/open.ts";
import { newId } from "../../server/tokens.ts";
import { type Engine, makeHouse } from "../../tests/house/open/engines.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const [named, begun, gone, bob, role, channel] = Array.from({ length: 6 }, newId) as [
  ...[string, string, string, string, string, string],
];

for (const engine of engines) {
  test(`mentions that wait on ${engine} keep whom they mean, and how far they are`, async () => {
    const house = await makeHouse(engine, {});
    const database = await openDatabase(readConfig([], house.settings));
    try {
      const all = Object.entries(allMigrations(features, database.engine));
      await database.migrate(Object.fromEntries(all.filter(([name]) => name < "0046")));
      await writeOld(database);
      await database.migrate(Object.fromEntries(all));
      const rows = await database.read
        .selectFrom("push_messages")
        .selectAll()
        .orderBy("message_id")
        .execute();
      const nobody = {
        mention_user_ids: "[]",
        mention_role_ids: "[]",
        mentions_everyone: 0,
        reaches_many: 0,
      };
      expect(rows).toEqual([
        { ...nobody, message_id: named, fanned_out_to: null, mention_user_ids: JSON.stringify([bob]) },
        {
          ...{ message_id: begun, fanned_out_to: bob, mention_user_ids: "[]" },
          ...{ mention_role_ids: JSON.stringify([role]), mentions_everyone: 1, reaches_many: 1 },
        },
        { ...nobody, message_id: gone, fanned_out_to: null },
      ]);
      const delivery = await database.read.selectFrom("push_deliveries").select("is_mention").execute();
      expect(delivery).toEqual([{ is_mention: 1 }]);
    } finally {
      await database.close();
      await house.end();
    }
  });
}

async function writeOld(database: Database): Promise<void> {
  const insert = (table: string, row: Record<string, string | number | null>) =>
    database.transaction(async (db) => {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      const values = sql.join(Object.values(row));
      await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db);
    });
  const [server_id, created_at] = [newId(), 1];
  await insert("users", { id: bob, username: "bob", username_key: "bob", display_name: "Bob", created_at });
  await insert("servers", { id: server_id, name: "Home", owner_id: bob, member_count: 1, created_at });
  await insert("channels", {
    id: channel,
    server_id,
    name: "general",
    type: "text",
    position: 0,
    created_at,
  });
  const message = { channel_id: channel, server_id, author_id: bob, content: "", created_at };
  const mentions = (users: string[], roles: string[], mentions_everyone: number) => ({
    ...{ mention_user_ids: JSON.stringify(users), mention_role_ids: JSON.stringify(roles) },
    mentions_everyone,
  });
  await insert("messages", { id: named, ...message, ...mentions([bob], [], 0) });
  await insert("messages", { id: begun, ...message, ...mentions([], [role], 1) });
  await insert("push_mentions", { message_id: named, fanned_out_to: null });
  await insert("push_mentions", { message_id: begun, fanned_out_to: bob });
  await insert("push_mentions", { message_id: gone, fanned_out_to: null });
  const session = newId();
  const used = { created_at, last_used_at: 1 };
  await insert("sessions", { id: session, user_id: bob, token_hash: "none", user_agent: "", ...used });
  const subscription = newId();
  await insert("push_subscriptions", {
    ...{ id: subscription, user_id: bob, session_id: session, endpoint: "https://push.example/1" },
    ...{ p256dh: "", auth: "", created_at: 1 },
  });
  await insert("push_deliveries", {
    ...{ id: newId(), message_id: named, user_id: bob, subscription_id: subscription },
    ...{ tries: 0, due_at: 1, created_at: 1 },
  });
}
