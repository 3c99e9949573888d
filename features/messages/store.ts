// The table of messages, and the migration of all tables of this feature; nonces are read and written in nonces.ts.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { listed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";

export interface MessagesTable {
  id: string;
  channel_id: string;
  /** The column takes null as well, for channels outside of servers; no row has it yet. */
  server_id: string;
  /** Null for the message of a webhook. */
  author_id: string | null;
  /** The webhook that wrote the message, and the name and picture that it gave itself. */
  webhook_id: string | null;
  author_name: string | null;
  author_avatar: string | null;
  content: string;
  /** May name a message that is gone. */
  reply_to: string | null;
  /** JSON arrays of ids. */
  mention_user_ids: string;
  mention_role_ids: string;
  mentions_everyone: number;
  /** JSON: the attachments as everybody sees them. */
  attachments: string;
  nonce: string | null;
  edited_at: number | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    messages: MessagesTable;
  }
}

type MigrationDb = Parameters<Migration["up"]>[0];

export function messageMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0006_messages": {
      async up(db) {
        await db.schema
          .createTable("messages")
          .addColumn("id", type.uuid, (c) => c.notNull().unique())
          .addColumn("channel_id", type.uuid, (c) => c.notNull().references("channels.id"))
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("author_id", type.uuid)
          .addColumn("content", type.text, (c) => c.notNull())
          .addColumn("reply_to", type.uuid)
          .addColumn("mention_user_ids", type.text, (c) => c.notNull())
          .addColumn("mention_role_ids", type.text, (c) => c.notNull())
          .addColumn("mentions_everyone", type.integer, (c) => c.notNull())
          .addColumn("nonce", type.text)
          .addColumn("edited_at", type.integer)
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("messages_pk", ["channel_id", "id"])
          // Kept in the order of the key, so that a page of a channel lies together.
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await createNonces(db, engine);
      },
    },
    "0011_message_authors": {
      async up(db) {
        for (const name of ["webhook_id", "author_name", "author_avatar"]) {
          const kind = name === "webhook_id" ? type.uuid : type.text;
          await db.schema.alterTable("messages").addColumn(name, kind).execute();
        }
        await db.schema
          .alterTable("messages")
          .addColumn("attachments", type.text, (c) => c.notNull().defaultTo("[]"))
          .execute();
      },
    },
    "0027_nonce_bodies": {
      async up(db) {
        await db.schema.alterTable("message_nonces").addColumn("body_hash", type.text).execute();
      },
    },
    "0035_messages_in_places": {
      async up(db) {
        await sql`alter table messages alter column server_id drop not null`.execute(db);
      },
    },
  };
}

async function createNonces(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const type = columnTypes(engine);
  await db.schema
    .createTable("message_nonces")
    .addColumn("author_id", type.uuid, (c) => c.notNull())
    .addColumn("channel_id", type.uuid, (c) => c.notNull())
    .addColumn("nonce", type.text, (c) => c.notNull())
    .addColumn("message_id", type.uuid, (c) => c.notNull())
    .addColumn("created_at", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("message_nonces_pk", ["author_id", "channel_id", "nonce"])
    .execute();
  await db.schema.createIndex("message_nonces_age").on("message_nonces").column("created_at").execute();
}

/** Hands a message over to the next commit. */
export function appendMessage(unit: UnitOfWork, row: MessagesTable): void {
  unit.append("messages", row);
}

const oneMessage = prepared<{ id: string }, MessagesTable>((db, value) =>
  db.selectFrom("messages").selectAll().where("id", "=", value("id")),
);

export async function selectMessage(db: Db, id: string): Promise<MessagesTable | undefined> {
  return (await oneMessage(db, { id }))[0];
}

export type MessageOrigin = Pick<
  MessagesTable,
  "id" | "server_id" | "channel_id" | "author_id" | "webhook_id" | "created_at"
>;

/** Where, by whom and when these messages were sent, in the order of ids; of those that are still there. */
export async function selectOrigins(db: Db, ids: readonly string[]): Promise<MessageOrigin[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("messages")
    .select(["id", "server_id", "channel_id", "author_id", "webhook_id", "created_at"])
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
}

type Slice = { channelId: string; cursor: string; limit: number };

const newest = prepared<Omit<Slice, "cursor">, MessagesTable>((db, value) =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("channel_id", "=", value("channelId"))
    .orderBy("id", "desc")
    .limit(value("limit")),
);

const before = prepared<Slice, MessagesTable>((db, value) =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("channel_id", "=", value("channelId"))
    .where("id", "<", value("cursor"))
    .orderBy("id", "desc")
    .limit(value("limit")),
);

const from = prepared<Slice, MessagesTable>((db, value) =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("channel_id", "=", value("channelId"))
    .where("id", ">=", value("cursor"))
    .orderBy("id")
    .limit(value("limit")),
);

/** Newest first. */
export function selectNewest(db: Db, channelId: string, limit: number): Promise<MessagesTable[]> {
  return newest(db, { channelId, limit });
}

/** Newest first, all older than the cursor. */
export function selectBefore(
  db: Db,
  channelId: string,
  cursor: string,
  limit: number,
): Promise<MessagesTable[]> {
  return before(db, { channelId, cursor, limit });
}

/** Oldest first, the cursor itself included. */
export function selectFrom(
  db: Db,
  channelId: string,
  cursor: string,
  limit: number,
): Promise<MessagesTable[]> {
  return from(db, { channelId, cursor, limit });
}

type Written = Pick<MessagesTable, "id" | "channel_id" | "server_id"> & { author_id: string };

/** Messages of accounts above this id, oldest first, at most `limit`. */
export function selectWrittenSince(db: Db, id: string, limit: number): Promise<Written[]> {
  return db
    .selectFrom("messages")
    .select(["id", "channel_id", "server_id", "author_id"])
    .where("id", ">", id)
    .where("author_id", "is not", null)
    .$narrowType<{ author_id: string }>()
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns the highest id of all messages. */
export async function selectHighest(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom("messages").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id;
}

const lastOfEach = prepared<{ channelIds: string }, { channel_id: string; last_id: string | null }>(
  (db, value) =>
    db
      .selectFrom(listed(db, value("channelIds")).as("asked"))
      .select("asked.id as channel_id")
      .select((eb) =>
        // The last row of each channel's stretch of the key: one look a channel, however many messages it has. Said as
        // a range, in the order of the key, as PostgreSQL may else walk through all ids for a channel without messages.
        eb
          .selectFrom("messages")
          .select("messages.id")
          .whereRef("messages.channel_id", ">=", "asked.id")
          .whereRef("messages.channel_id", "<=", "asked.id")
          .orderBy("messages.channel_id", "desc")
          .orderBy("messages.id", "desc")
          .limit(1)
          .as("last_id"),
      ),
);

/** Returns by channel id the id of the newest message, in one statement; an empty channel is left out. */
export async function selectLast(db: Db, channelIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await lastOfEach(db, { channelIds: JSON.stringify(channelIds) });
  return new Map(rows.flatMap((row) => (row.last_id === null ? [] : [[row.channel_id, row.last_id]])));
}

export async function updateMessage(
  db: Db,
  { channel_id, id }: Pick<MessagesTable, "channel_id" | "id">,
  changes: Pick<
    MessagesTable,
    "content" | "mention_user_ids" | "mention_role_ids" | "mentions_everyone" | "edited_at"
  >,
): Promise<void> {
  await db
    .updateTable("messages")
    .set(changes)
    .where("channel_id", "=", channel_id)
    .where("id", "=", id)
    .execute();
}

/** Deletes the messages of the channel that have these ids. Returns the ids that were deleted. */
export async function deleteMessages(db: Db, channelId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom("messages")
    .where("channel_id", "=", channelId)
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes up to `limit` messages of a channel, the oldest ones. Returns their ids. */
export async function deleteFirstMessages(db: Db, channelId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("messages")
    .select("id")
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .limit(limit)
    .execute();
  const last = rows.at(-1)?.id;
  if (last === undefined) return [];
  await db.deleteFrom("messages").where("channel_id", "=", channelId).where("id", "<=", last).execute();
  return rows.map((row) => row.id);
}
