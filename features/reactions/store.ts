// The tables of reactions, and of their counts by emoji.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { listed } from "../../server/database/listed.ts";
import type { Report } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";
import { replaceTable } from "../../server/database/replace-table.ts";

interface ReactionsTable {
  message_id: string;
  emoji: string;
  user_id: string;
  created_at: number;
}

interface ReactionCountsTable {
  message_id: string;
  emoji: string;
  /** The number of rows in `reactions` with this emoji; at zero the row is deleted. */
  count: number;
  /** When this emoji was first added to the message. */
  first_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    reactions: ReactionsTable;
    reaction_counts: ReactionCountsTable;
  }
}

type MigrationDb = Parameters<Migration["up"]>[0];

const key = ["message_id", "user_id", "emoji"] as const;
const oldKey = ["message_id", "emoji", "user_id"] as const;

export function reactionMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
  const type = columnTypes(engine);

  return {
    "0007_reactions": {
      async up(db) {
        await db.schema
          .createTable("reactions")
          .addColumn("message_id", type.uuid, (c) =>
            c.notNull().references("messages.id").onDelete("cascade"),
          )
          .addColumn("emoji", type.text, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("reactions_pk", [...oldKey])
          .execute();
      },
    },
    "0031_reaction_counts": {
      async up(db) {
        await db.schema
          .createTable("reaction_counts")
          .addColumn("message_id", type.uuid, (c) => c.notNull())
          .addColumn("emoji", type.text, (c) => c.notNull())
          .addColumn("count", type.integer, (c) => c.notNull())
          .addColumn("first_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("reaction_counts_pk", ["message_id", "emoji"])
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await sql`insert into reaction_counts (message_id, emoji, count, first_at)
          select message_id, emoji, count(*), min(created_at) from reactions
          group by message_id, emoji order by message_id, emoji`.execute(db);
        // Reactions are swept after their message, so they must not prevent its deletion. The key groups reactions by
        // person, so that one lookup finds a person's own under a message; an index has them in order of creation.
        if (engine === "sqlite") {
          const create = (name: string) => createReactions(db, name);
          await replaceTable(db, { table: "reactions", create, key: oldKey }, report);
        } else {
          await sql`alter table reactions drop constraint reactions_message_id_fkey,
            drop constraint reactions_pk,
            add constraint reactions_pk primary key (message_id, user_id, emoji)`.execute(db);
        }
        await db.schema
          .createIndex("reactions_in_order")
          .on("reactions")
          .columns(["message_id", "emoji", "created_at", "user_id"])
          .execute();
      },
    },
  };
}

/** For SQLite, where a table without rowids is stored in key order. */
async function createReactions(db: MigrationDb, name: string): Promise<void> {
  const type = columnTypes("sqlite");
  await db.schema
    .createTable(name)
    .addColumn("message_id", type.uuid, (c) => c.notNull())
    .addColumn("emoji", type.text, (c) => c.notNull())
    .addColumn("user_id", type.uuid, (c) => c.notNull())
    .addColumn("created_at", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("reactions_pk", [...key])
    .modifyEnd(sql`without rowid`)
    .execute();
}

type Reaction = Pick<ReactionsTable, "message_id" | "emoji" | "user_id">;

/** Inserts and counts a reaction. Returns false if it existed already. */
export async function insertReaction(db: Db, reaction: Reaction): Promise<boolean> {
  const { message_id, emoji } = reaction;
  const now = Date.now();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("reactions")
    .values({ ...reaction, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await db
    .insertInto("reaction_counts")
    .values({ message_id, emoji, count: 1, first_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["message_id", "emoji"])
        .doUpdateSet((eb) => ({ count: eb("reaction_counts.count", "+", 1) })),
    )
    .execute();
  return true;
}

/** Deletes a reaction and its count. Returns false if there was none. */
export async function deleteReaction(db: Db, reaction: Reaction): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("reactions")
    .where((eb) => eb.and(reaction))
    .executeTakeFirstOrThrow();
  if (numDeletedRows !== 1n) return false;
  const { message_id, emoji } = reaction;
  await db
    .updateTable("reaction_counts")
    .set((eb) => ({ count: eb("count", "-", 1) }))
    .where((eb) => eb.and({ message_id, emoji }))
    .execute();
  await db
    .deleteFrom("reaction_counts")
    .where((eb) => eb.and({ message_id, emoji, count: 0 }))
    .execute();
  return true;
}

const kindsOfOne = prepared<{ messageId: string }, { emoji: string }>((db, value) =>
  db
    .selectFrom("reaction_counts")
    .select("emoji")
    .where("message_id", "=", value("messageId"))
    .orderBy("first_at")
    .orderBy("emoji"),
);

/** Returns the emoji under a message, in the order of their first reactions. */
export async function selectEmoji(db: Db, messageId: string): Promise<string[]> {
  return (await kindsOfOne(db, { messageId })).map((row) => row.emoji);
}

type Reactor = Pick<ReactionsTable, "user_id" | "created_at">;

/** Returns the people who reacted with this emoji, in order, after the given one. */
export function selectReactors(
  db: Db,
  messageId: string,
  emoji: string,
  after: Reactor | undefined,
  limit: number,
): Promise<Reactor[]> {
  return db
    .selectFrom("reactions")
    .select(["user_id", "created_at"])
    .where("message_id", "=", messageId)
    .where("emoji", "=", emoji)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("created_at", "user_id"), ">", eb.tuple(after?.created_at ?? 0, after?.user_id ?? "")),
      ),
    )
    .orderBy("created_at")
    .orderBy("user_id")
    .limit(limit)
    .execute();
}

interface Counted {
  message_id: string;
  emoji: string;
  count: number;
  /** The person's own reaction, or null. */
  own: string | null;
}

const counted = prepared<{ messageIds: string; userId: string }, Counted>((db, value) =>
  db
    // A cross join keeps SQLite to this order, here and below: the requested ids first, whatever its statistics say.
    .selectFrom(listed(db, value("messageIds")).as("asked"))
    .crossJoin("reaction_counts as counts")
    .leftJoin("reactions as own", (join) =>
      join
        .onRef("own.message_id", "=", "counts.message_id")
        .onRef("own.emoji", "=", "counts.emoji")
        .on("own.user_id", "=", value("userId")),
    )
    .select(["counts.message_id", "counts.emoji", "counts.count", "own.user_id as own"])
    .whereRef("counts.message_id", "=", "asked.id")
    .orderBy("counts.first_at")
    .orderBy("counts.emoji"),
);

/** Returns the counts under each of these messages, ordered by first reaction, and whether the person reacted. */
export function selectCounts(db: Db, messageIds: readonly string[], userId: string): Promise<Counted[]> {
  return counted(db, { messageIds: JSON.stringify(messageIds), userId });
}

type OnMessage = Pick<ReactionsTable, "message_id" | "emoji">;

const own = prepared<{ messageIds: string; userId: string }, OnMessage>((db, value) =>
  db
    .selectFrom(listed(db, value("messageIds")).as("asked"))
    .crossJoin("reactions")
    .select(["reactions.message_id", "reactions.emoji"])
    .whereRef("reactions.message_id", "=", "asked.id")
    .where("reactions.user_id", "=", value("userId")),
);

export function selectOwn(db: Db, messageIds: readonly string[], userId: string): Promise<OnMessage[]> {
  return own(db, { messageIds: JSON.stringify(messageIds), userId });
}

const all = prepared<{ messageIds: string }, Reaction>((db, value) =>
  db
    .selectFrom(listed(db, value("messageIds")).as("asked"))
    .crossJoin("reactions")
    .select(["reactions.message_id", "reactions.emoji", "reactions.user_id"])
    .whereRef("reactions.message_id", "=", "asked.id"),
);

/** Returns all reactions to these messages; meant for messages with small counts. */
export function selectReactions(db: Db, messageIds: readonly string[]): Promise<Reaction[]> {
  return all(db, { messageIds: JSON.stringify(messageIds) });
}

const withAny = prepared<{ messageIds: string }, { id: string }>((db, value) =>
  db
    .selectFrom(listed(db, value("messageIds")).as("asked"))
    .select("asked.id")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("reaction_counts")
          .select("emoji")
          .whereRef("reaction_counts.message_id", "=", "asked.id"),
      ),
    ),
);

/** Returns those of these messages that have reactions. */
export async function reactedAmong(db: Db, messageIds: readonly string[]): Promise<string[]> {
  const rows = await withAny(db, { messageIds: JSON.stringify(messageIds) });
  return rows.map((row) => row.id);
}

export async function deleteCounts(db: Db, messageId: string): Promise<void> {
  await db.deleteFrom("reaction_counts").where("message_id", "=", messageId).execute();
}
