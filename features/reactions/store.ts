// The table of reactions.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    reactions: { message_id: string; emoji: string; user_id: string; created_at: number };
  }
}

export function reactionMigrations(engine: Database["engine"]): Record<string, Migration> {
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
          .addPrimaryKeyConstraint("reactions_pk", ["message_id", "emoji", "user_id"])
          .execute();
      },
    },
  };
}

/** False when it was there already. */
export async function insertReaction(
  db: Db,
  messageId: string,
  emoji: string,
  userId: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("reactions")
    .values({ message_id: messageId, emoji, user_id: userId, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False when there was none. */
export async function deleteReaction(
  db: Db,
  messageId: string,
  emoji: string,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("reactions")
    .where("message_id", "=", messageId)
    .where("emoji", "=", emoji)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function distinctEmoji(db: Db, messageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("reactions")
    .select("emoji")
    .distinct()
    .where("message_id", "=", messageId)
    .execute();
  return rows.map((row) => row.emoji);
}

/** In the order of each emoji's first use. */
export function selectReactions(db: Db, messageId: string) {
  return db
    .selectFrom("reactions")
    .select(["emoji", "user_id"])
    .where("message_id", "=", messageId)
    .orderBy("created_at")
    .orderBy("user_id")
    .execute();
}

export function countReactions(db: Db, messageIds: readonly string[], userId: string) {
  return db
    .selectFrom("reactions")
    .select(["message_id", "emoji"])
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .select(sql<number>`max(case when user_id = ${userId} then 1 else 0 end)`.as("mine"))
    .select((eb) => eb.fn.min("created_at").as("first_at"))
    .where("message_id", "in", messageIds)
    .groupBy(["message_id", "emoji"])
    .orderBy("first_at")
    .orderBy("emoji")
    .execute();
}

export function selectReactors(db: Db, messageIds: readonly string[], limit: number) {
  return db
    .selectFrom("reactions")
    .select(["message_id", "emoji", "user_id"])
    .where("message_id", "in", messageIds)
    .limit(limit)
    .execute();
}
