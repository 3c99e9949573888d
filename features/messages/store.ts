// The message table.
import { sql } from "kysely";
import type { Db } from "../../server/database/database.ts";
import { isListed, listed, listedRows } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { SaidAfter } from "./said.ts";

export interface MessagesTable {
  id: string;
  channel_id: string;
  /** The column takes null as well, for channels outside of servers; no row has it yet. */
  server_id: string | null;
  /** Null for messages of webhooks. */
  author_id: string | null;
  /** The webhook that posted the message, and the name and picture that it used. */
  webhook_id: string | null;
  author_name: string | null;
  author_avatar: string | null;
  content: string;
  /** The id of a message that may be deleted by now. */
  reply_to: string | null;
  /** JSON arrays of ids. */
  mention_user_ids: string;
  mention_role_ids: string;
  mentions_everyone: number;
  /** The attachments as JSON, as everybody sees them. */
  attachments: string;
  /** 0 where the previous release wrote the message: its files may not be recorded yet. */
  files_noted: 0 | 1;
  nonce: string | null;
  edited_at: number | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    messages: MessagesTable;
  }
}

/** Adds the message to the next commit. */
export function appendMessage(unit: UnitOfWork, row: MessagesTable): void {
  unit.append("messages", row);
}

const oneMessage = prepared<{ id: string }, MessagesTable>((db, value) =>
  db.selectFrom("messages").selectAll().where("id", "=", value("id")),
);

export async function selectMessage(db: Db, id: string): Promise<MessagesTable | undefined> {
  return (await oneMessage(db, { id }))[0];
}

const thoseListed = prepared<{ ids: string }, MessagesTable>((db, value) =>
  db
    .selectFrom("messages")
    .selectAll()
    .where(isListed(db, "id", value("ids"))),
);

/** Returns the messages among these that there are, in no order. */
export function selectMessages(db: Db, ids: readonly string[]): Promise<MessagesTable[]> {
  return thoseListed(db, { ids: JSON.stringify(ids) });
}

export type MessageOrigin = Pick<
  MessagesTable,
  "id" | "server_id" | "channel_id" | "author_id" | "webhook_id" | "created_at"
>;

/** Channel, author and time of these messages, in the order of ids; deleted ones are left out. */
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

/** Returns the newest messages, newest first. */
export function selectNewest(db: Db, channelId: string, limit: number): Promise<MessagesTable[]> {
  return newest(db, { channelId, limit });
}

/** Returns messages older than the cursor, newest first. */
export function selectBefore(
  db: Db,
  channelId: string,
  cursor: string,
  limit: number,
): Promise<MessagesTable[]> {
  return before(db, { channelId, cursor, limit });
}

/** Returns messages from the cursor on, including it, oldest first. */
export function selectFrom(
  db: Db,
  channelId: string,
  cursor: string,
  limit: number,
): Promise<MessagesTable[]> {
  return from(db, { channelId, cursor, limit });
}

type Written = Pick<MessagesTable, "id" | "channel_id" | "server_id"> & { author_id: string };

/** Returns messages of accounts above this id, oldest first, at most `limit`. */
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
        // The last row of each channel's key range: one lookup per channel, however many messages it has. Written as a
        // range in key order, as PostgreSQL may otherwise scan all ids for a channel without messages.
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

/** Returns the id of the newest message by channel id, in one statement; empty channels are left out. */
export async function selectLast(db: Db, channelIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await lastOfEach(db, { channelIds: JSON.stringify(channelIds) });
  return new Map(rows.flatMap((row) => (row.last_id === null ? [] : [[row.channel_id, row.last_id]])));
}

const countsOf = prepared<{ asked: string }, { reader_id: string; channel_id: string; count: number }>(
  (db, value) => {
    const fields = { reader_id: "uuid", channel_id: "uuid", after: "uuid", silent: "text" } as const;
    // The rows looked at are bounded, so that somebody whose words do not count cannot make a count slow.
    const said = sql`(select author_id from messages where channel_id = asked.channel_id and id > asked.after limit 5000)`;
    return db
      .selectFrom(listedRows<SaidAfter>(db, value("asked"), fields).as("asked"))
      .select(["asked.reader_id", "asked.channel_id"])
      .select(
        sql<number>`(select count(*) from (select 1 from ${said} as said
          where asked.silent not like '%' || cast(said.author_id as text) || '%' limit 100) as counted)`.as(
          "count",
        ),
      );
  },
);

/** Returns how many messages others wrote after each reader's place, at most 100. */
export function countSaid(db: Db, asked: readonly SaidAfter[]) {
  return countsOf(db, { asked: JSON.stringify(asked) });
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

/** A message that was deleted, and its attachments as JSON. */
export type DeletedMessage = Pick<MessagesTable, "id" | "attachments">;

/** Deletes the messages of the channel with these ids. Returns those that existed. */
export function deleteMessages(db: Db, channelId: string, ids: readonly string[]): Promise<DeletedMessage[]> {
  return db
    .deleteFrom("messages")
    .where("channel_id", "=", channelId)
    .where("id", "in", ids)
    .returning(["id", "attachments"])
    .execute();
}

/** Deletes up to `limit` of the oldest messages of a channel. Returns them. */
export async function deleteFirstMessages(
  db: Db,
  channelId: string,
  limit: number,
): Promise<DeletedMessage[]> {
  const rows = await db
    .selectFrom("messages")
    .select(["id", "attachments"])
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .limit(limit)
    .execute();
  const last = rows.at(-1)?.id;
  if (last === undefined) return [];
  await db.deleteFrom("messages").where("channel_id", "=", channelId).where("id", "<=", last).execute();
  return rows;
}

/** Messages whose files may not be recorded yet: the rows of the index `messages_unnoted`. */
export const unnoted = sql<boolean>`files_noted = 0 and attachments <> '[]'`;

/** Marks up to `limit` messages whose files are not recorded yet. Returns them; fewer if no more are left. */
export function markFilesNoted(db: Db, limit: number): Promise<DeletedMessage[]> {
  const some = db.selectFrom("messages").select("id").where(unnoted).orderBy("id").limit(limit);
  return db
    .updateTable("messages")
    .set({ files_noted: 1 })
    .where("id", "in", some)
    .returning(["id", "attachments"])
    .execute();
}

/** True if the files of every message are recorded. */
export async function areFilesNoted(db: Db): Promise<boolean> {
  return (await db.selectFrom("messages").select("id").where(unnoted).limit(1).execute()).length === 0;
}

/** The columns with the current text of a message. */
export type Words = Pick<MessagesTable, (typeof wordColumns)[number]>;

const wordColumns = [
  "id",
  "channel_id",
  "content",
  "mention_user_ids",
  "mention_role_ids",
  "mentions_everyone",
  "edited_at",
] as const;

/** Returns the current texts of these messages; deleted ones are left out. */
export function selectWords(db: Db, ids: readonly string[]): Promise<Words[]> {
  return db
    .selectFrom("messages")
    .select(wordColumns)
    .where(isListed(db, "id", JSON.stringify(ids)))
    .execute();
}
