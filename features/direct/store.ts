// The tables of conversations: what two people have in common, and who is in which.
import type { Migration } from "kysely";
import { limits } from "../../protocol/limits.ts";
import { type ColumnTypes, columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listedRows } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

interface ConversationsTable {
  channel_id: string;
  /** The two people of a conversation, so that they have only one; null for a group. */
  pair: string | null;
  owner_id: string | null;
}

interface RecipientsTable {
  channel_id: string;
  user_id: string;
  /** Counts up within a conversation, by when people came. */
  place: number;
  /** An id: the person has read the messages below it, which were there before they came. */
  joined_id: string;
  /** 1 while the conversation is not in the person's list. */
  hidden: 0 | 1;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    conversations: ConversationsTable;
    recipients: RecipientsTable;
  }
}

export function directMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return { "0088_conversations": expanding({ up: (db) => addConversations(db, type) }) };
}

async function addConversations(db: Parameters<Migration["up"]>[0], type: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("conversations")
    .addColumn("channel_id", type.uuid, (c) => c.primaryKey().notNull())
    .addColumn("pair", type.text, (c) => c.unique())
    .addColumn("owner_id", type.uuid)
    .execute();
  await db.schema
    .createTable("recipients")
    .addColumn("channel_id", type.uuid, (c) => c.notNull())
    .addColumn("user_id", type.uuid, (c) => c.notNull())
    .addColumn("place", type.integer, (c) => c.notNull())
    .addColumn("joined_id", type.uuid, (c) => c.notNull())
    .addColumn("hidden", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("recipients_pk", ["channel_id", "user_id"])
    .execute();
  await db.schema.createIndex("recipients_user").on("recipients").column("user_id").execute();
}

/** Names the two people of a conversation, in either order. */
export function pairOf(one: string, other: string): string {
  return [one, other].sort().join(" ");
}

/** Inserts a conversation. Returns false when these two have one. */
export async function insertConversation(db: Db, row: ConversationsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("conversations")
    .values(row)
    .onConflict((conflict) => conflict.column("pair").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function selectPair(db: Db, pair: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("conversations")
    .select("channel_id")
    .where("pair", "=", pair)
    .executeTakeFirst();
  return row?.channel_id;
}

const ownersListed = prepared<{ ids: string }, Pick<ConversationsTable, "channel_id" | "owner_id">>(
  (db, value) =>
    db
      .selectFrom("conversations")
      .select(["channel_id", "owner_id"])
      .where(isListed(db, "channel_id", value("ids"))),
);

/** Returns by channel id the owners of groups; null for a conversation of two. */
export async function selectOwners(
  db: Db,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await ownersListed(db, { ids: JSON.stringify(channelIds) });
  return new Map(rows.map(({ channel_id, owner_id }) => [channel_id, owner_id]));
}

const recipientsListed = prepared<{ ids: string }, RecipientsTable>((db, value) =>
  db
    .selectFrom("recipients")
    .selectAll()
    .where(isListed(db, "channel_id", value("ids")))
    .orderBy("place"),
);

/** Returns the people of these conversations by channel id, by when they came. */
export async function selectRecipients(
  db: Db,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, RecipientsTable[]>> {
  const rows = await recipientsListed(db, { ids: JSON.stringify(channelIds) });
  return Map.groupBy(rows, ({ channel_id }) => channel_id);
}

type SeatKey = Pick<RecipientsTable, "user_id" | "channel_id">;

const seatsListed = prepared<{ keys: string }, SeatKey & Pick<RecipientsTable, "joined_id">>((db, value) =>
  db
    .selectFrom(listedRows<SeatKey>(db, value("keys"), { user_id: "uuid", channel_id: "uuid" }).as("asked"))
    .innerJoin("recipients", (join) =>
      join
        .onRef("recipients.user_id", "=", "asked.user_id")
        .onRef("recipients.channel_id", "=", "asked.channel_id"),
    )
    .select(["recipients.user_id", "recipients.channel_id", "recipients.joined_id"]),
);

/** Returns those of these people who are in these conversations, with what they had read when they came. */
export async function selectSeats(db: Db, keys: readonly SeatKey[]) {
  if (keys.length === 0) return [];
  const asked = keys.map(({ user_id, channel_id }) => ({ user_id, channel_id }));
  return seatsListed(db, { keys: JSON.stringify(asked) });
}

const ofPerson = prepared<{ userId: string }, Pick<RecipientsTable, "channel_id" | "hidden">>((db, value) =>
  db.selectFrom("recipients").select(["channel_id", "hidden"]).where("user_id", "=", value("userId")),
);

/** Returns the ids of the conversations that a person is in, and whether they are hidden. */
export function selectConversationsOf(db: Db, userId: string) {
  return ofPerson(db, { userId });
}

const partnersListed = prepared<{ userIds: string }, { user_id: string; partner_id: string }>((db, value) =>
  db
    .selectFrom("recipients as mine")
    .innerJoin("recipients as theirs", "theirs.channel_id", "mine.channel_id")
    .select(["mine.user_id", "theirs.user_id as partner_id"])
    .distinct()
    .where(isListed(db, "mine.user_id", value("userIds")))
    .whereRef("theirs.user_id", "<>", "mine.user_id"),
);

/** Returns by person those with whom they are in a conversation. */
export async function selectPartners(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await partnersListed(db, { userIds: JSON.stringify(userIds) });
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([userId, some]) => [userId, some.map(({ partner_id }) => partner_id)]));
}

const sharing = prepared<{ userId: string; otherIds: string }, { user_id: string }>((db, value) =>
  db
    .selectFrom("recipients as theirs")
    .innerJoin("recipients as mine", "mine.channel_id", "theirs.channel_id")
    .select("theirs.user_id")
    .distinct()
    .where(isListed(db, "theirs.user_id", value("otherIds")))
    .where("mine.user_id", "=", value("userId")),
);

/** Returns those of these people who are in as many conversations as one may be. */
export async function selectCrowded(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("recipients")
    .select("user_id")
    .where("user_id", "in", userIds)
    .groupBy("user_id")
    .having((count) => count.fn.countAll(), ">=", limits.conversations_max)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Returns those of these people who share a conversation with this person. */
export async function partnersAmong(
  db: Db,
  userId: string,
  otherIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sharing(db, { userId, otherIds: JSON.stringify(otherIds) });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Adds people to a conversation, after those who are in it. */
export async function insertRecipients(db: Db, rows: readonly RecipientsTable[]): Promise<void> {
  await db.insertInto("recipients").values(rows).execute();
}

export async function deleteRecipient(db: Db, channelId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("recipients")
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .execute();
}

export async function setHidden(
  db: Db,
  channelId: string,
  userIds: readonly string[],
  hidden: 0 | 1,
): Promise<void> {
  await db
    .updateTable("recipients")
    .set({ hidden })
    .where("channel_id", "=", channelId)
    .where("user_id", "in", userIds)
    .execute();
}

export async function setOwner(db: Db, channelId: string, ownerId: string | null): Promise<void> {
  await db
    .updateTable("conversations")
    .set({ owner_id: ownerId })
    .where("channel_id", "=", channelId)
    .execute();
}

export async function deleteConversation(db: Db, channelId: string): Promise<void> {
  await db.deleteFrom("conversations").where("channel_id", "=", channelId).execute();
}
