// The table of blocks.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    blocks: { user_id: string; blocked_id: string; created_at: number };
  }
}

export function blockMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0019_blocks": {
      async up(db) {
        await db.schema
          .createTable("blocks")
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("blocked_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("blocks_pk", ["user_id", "blocked_id"])
          .execute();
      },
    },
  };
}

/** Returns the people whom a person blocks, the latest block first. */
export async function selectBlocked(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("blocks")
    .select("blocked_id")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("blocked_id", "desc")
    .execute();
  return rows.map((row) => row.blocked_id);
}

type Block = { user_id: string; blocked_id: string };

const blocksOfEach = prepared<{ userIds: string }, Block>((db, value) =>
  db
    .selectFrom("blocks")
    .select(["user_id", "blocked_id"])
    .where(isListed(db, "user_id", value("userIds"))),
);

/** Returns the blocks that these people have made, in no order. */
export function selectBlocks(db: Db, userIds: readonly string[]): Promise<Block[]> {
  return blocksOfEach(db, { userIds: JSON.stringify(userIds) });
}

export async function isBlocked(db: Db, userId: string, blockedId: string): Promise<boolean> {
  return (await blockersAmong(db, blockedId, [userId])).has(userId);
}

/** Returns those of these people who block this person. */
export async function blockersAmong(
  db: Db,
  blockedId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("blocks")
    .select("user_id")
    .where("blocked_id", "=", blockedId)
    .where("user_id", "in", userIds)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export async function insertBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db
    .insertInto("blocks")
    .values({ user_id: userId, blocked_id: blockedId, created_at: Date.now() })
    .execute();
}

export async function deleteBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db.deleteFrom("blocks").where("user_id", "=", userId).where("blocked_id", "=", blockedId).execute();
}
