// The mention table: which messages mention a person, a role or everyone, in the order of their ids.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listed, listedRows } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { SharedMessage } from "../messages/contract.ts";

interface MentionsTable {
  /** The id of a person or role, or the server's id for everyone. */
  target_id: string;
  channel_id: string;
  message_id: string;
  /** The id of the account or webhook that posted the message. */
  author_id: string;
}

type MigrationDb = Parameters<Migration["up"]>[0];

declare module "../../server/database/tables.ts" {
  interface Tables {
    mentions: MentionsTable;
  }
}

export function mentionsMigration(engine: Database["engine"]): Migration {
  const type = columnTypes(engine);
  return {
    async up(db) {
      await db.schema
        .createTable("mentions")
        .addColumn("target_id", type.uuid, (c) => c.notNull())
        .addColumn("channel_id", type.uuid, (c) => c.notNull())
        .addColumn("message_id", type.uuid, (c) => c.notNull())
        .addColumn("author_id", type.uuid, (c) => c.notNull())
        .addPrimaryKeyConstraint("mentions_pk", ["target_id", "channel_id", "message_id"])
        .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
        .execute();
      await db.schema
        .createIndex("mentions_message")
        .on("mentions")
        .columns(["channel_id", "message_id"])
        .execute();
      await noteEarlier(db, engine);
    },
  };
}

/** Fills the table with the mentions of existing messages. */
async function noteEarlier(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const author = sql`coalesce(messages.author_id, messages.webhook_id, messages.id)`;
  for (const column of ["mention_user_ids", "mention_role_ids"]) {
    const ids =
      engine === "postgres"
        ? sql`json_array_elements_text(${sql.ref(column)}::json) as target(value)`
        : sql`json_each(${sql.ref(column)}) as target`;
    const target = engine === "postgres" ? sql`target.value::uuid` : sql`target.value`;
    await sql`insert into mentions (target_id, channel_id, message_id, author_id)
      select ${target}, channel_id, messages.id, ${author} from messages, ${ids}
      where ${sql.ref(column)} <> '[]'`.execute(db);
  }
  await sql`insert into mentions (target_id, channel_id, message_id, author_id)
    select server_id, channel_id, id, ${author} from messages where mentions_everyone = 1`.execute(db);
}

/** Appends the rows of a new message; most messages have none. */
export function appendMentions(unit: UnitOfWork, message: SharedMessage): void {
  for (const row of rowsOf(message)) unit.append("mentions", row);
}

/**
 * Replaces the mentions of an edited message. Most edits change none, and each row is on a page of its own: rewriting a
 * hundred took half a megabyte.
 */
export async function replaceMentions(unit: UnitOfWork, message: SharedMessage): Promise<void> {
  const had = new Set(await selectTargets(unit.db, message));
  const rows = rowsOf(message);
  const has = new Set(rows.map((row) => row.target_id));
  const over = [...had.difference(has)];
  if (over.length > 0) await deleteTargets(unit.db, message, over);
  for (const row of rows) if (!had.has(row.target_id)) unit.append("mentions", row);
}

function rowsOf({ id, channel_id, server_id, author, mentions }: SharedMessage): MentionsTable[] {
  const { user_ids, role_ids, everyone } = mentions;
  if (!everyone && user_ids.length === 0 && role_ids.length === 0) return [];
  const targets = [...user_ids, ...role_ids, ...(everyone && server_id !== null ? [server_id] : [])];
  return targets.map((target_id) => ({ target_id, channel_id, message_id: id, author_id: author.id }));
}

const targetsOf = prepared<Record<"channel_id" | "id", string>, { target_id: string }>((db, value) =>
  db
    .selectFrom("mentions")
    .select("target_id")
    .where("channel_id", "=", value("channel_id"))
    .where("message_id", "=", value("id")),
);

async function selectTargets(db: Db, { channel_id, id }: SharedMessage): Promise<string[]> {
  return (await targetsOf(db, { channel_id, id })).map((row) => row.target_id);
}

async function deleteTargets(db: Db, { channel_id, id }: SharedMessage, targetIds: string[]): Promise<void> {
  await db
    .deleteFrom("mentions")
    .where("channel_id", "=", channel_id)
    .where("message_id", "=", id)
    .where("target_id", "in", targetIds)
    .execute();
}

export async function deleteMentions(
  db: Db,
  channelId: string,
  messageIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom("mentions")
    .where("channel_id", "=", channelId)
    .where("message_id", "in", messageIds)
    .execute();
}

const newestOfEach = prepared<{ channelIds: string }, { channel_id: string; message_id: string | null }>(
  (db, value) =>
    db
      .selectFrom(listed(db, value("channelIds")).as("asked"))
      .select("asked.id as channel_id")
      .select((eb) =>
        eb
          .selectFrom("mentions")
          .select("mentions.message_id")
          .whereRef("mentions.channel_id", "=", "asked.id")
          .orderBy("mentions.message_id", "desc")
          .limit(1)
          .as("message_id"),
      ),
);

/** Returns by channel the newest message that mentions anybody; channels without one are left out. */
export async function selectNewestMentions(
  db: Db,
  channelIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await newestOfEach(db, { channelIds: JSON.stringify(channelIds) });
  return new Map(rows.flatMap((row) => (row.message_id === null ? [] : [[row.channel_id, row.message_id]])));
}

/** A channel in which the mentions of one reader are counted. */
interface Counting {
  reader_id: string;
  channel_id: string;
  /** Only later messages count. */
  after: string;
  /** JSON arrays: the target ids that stand for the reader, and the authors whose messages do not count. */
  targets: string;
  silent: string;
}

/** Rows read per count, so that nobody can make a count slow by mentioning somebody endlessly. */
const rowsLookedAt = 5000;
/** Rows counted at most: a message that mentions a reader by name, by roles and by everyone has several. */
const rowsCounted = 400;

type Count = { reader_id: string; channel_id: string; count: number };

const countsOf = prepared<{ asked: string }, Count>((db, value) => {
  const fields = {
    reader_id: "uuid",
    channel_id: "uuid",
    after: "uuid",
    targets: "text",
    silent: "text",
  } as const;
  const lookedAt = sql`(select mentions.message_id, mentions.author_id from mentions
    where ${isListed(db, "mentions.target_id", sql.ref("asked.targets"))}
      and mentions.channel_id = asked.channel_id and mentions.message_id > asked.after
    limit ${sql.lit(rowsLookedAt)})`;
  // Compared as text: for a JSON list, SQLite would parse all of it for every row.
  const counts = sql`asked.silent not like '%' || cast(looked_at.author_id as text) || '%'`;
  return db
    .selectFrom(listedRows<Counting>(db, value("asked"), fields).as("asked"))
    .select(["asked.reader_id", "asked.channel_id"])
    .select(
      sql<number>`(select count(distinct found.message_id) from (
        select looked_at.message_id from ${lookedAt} as looked_at where ${counts}
        limit ${sql.lit(rowsCounted)}) as found)`.as("count"),
    );
});

/** Returns the number of messages that mention each reader. */
export function countMentions(db: Db, asked: readonly Counting[]): Promise<Count[]> {
  return countsOf(db, { asked: JSON.stringify(asked) });
}
