// The tables of badges and of their holders.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface BadgesTable {
  id: string;
  name: string;
  description: string;
  icon: string;
  color: string | null;
  created_at: number;
  /** When the badge was deleted; the row stays while any holder's profile shows it. */
  deleted_at: number | null;
}

interface BadgeHoldersTable {
  user_id: string;
  badge_id: string;
  given_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    badges: BadgesTable;
    badge_holders: BadgeHoldersTable;
  }
}

export function badgeMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0016_badges": {
      async up(db) {
        await db.schema
          .createTable("badges")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("description", type.text, (c) => c.notNull())
          .addColumn("icon", type.text, (c) => c.notNull())
          .addColumn("color", type.text)
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addColumn("deleted_at", type.integer)
          .execute();
        await db.schema
          .createTable("badge_holders")
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("badge_id", type.uuid, (c) => c.notNull().references("badges.id"))
          .addColumn("given_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("badge_holders_pk", ["user_id", "badge_id"])
          .execute();
        await db.schema
          .createIndex("badge_holders_badge")
          .on("badge_holders")
          .columns(["badge_id", "user_id"])
          .execute();
      },
    },
  };
}

/** Returns all badges, the oldest first. */
export function selectBadges(db: Db): Promise<BadgesTable[]> {
  return db.selectFrom("badges").selectAll().where("deleted_at", "is", null).orderBy("id").execute();
}

export function selectBadge(db: Db, id: string): Promise<BadgesTable | undefined> {
  return db
    .selectFrom("badges")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Locks a badge, or without an id all badges, until the commit. */
export async function selectBadgesForUpdate(db: Db, id?: string): Promise<void> {
  await db
    .selectFrom("badges")
    .select("id")
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .orderBy("id")
    .forUpdate()
    .execute();
}

export async function insertBadge(db: Db, row: BadgesTable): Promise<void> {
  await db.insertInto("badges").values(row).execute();
}

export async function markDeleted(db: Db, id: string): Promise<void> {
  await db.updateTable("badges").set({ deleted_at: Date.now() }).where("id", "=", id).execute();
}

export async function removeBadge(db: Db, id: string): Promise<void> {
  await db.deleteFrom("badges").where("id", "=", id).execute();
}

/** Returns a deleted badge that still has its row. */
export async function selectDeletedBadge(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("badges")
    .select("id")
    .where("deleted_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns a person's badges, in the order in which they were awarded. */
export function selectBadgesOf(db: Db, userId: string): Promise<BadgesTable[]> {
  return db
    .selectFrom("badge_holders")
    .innerJoin("badges", "badges.id", "badge_holders.badge_id")
    .selectAll("badges")
    .where("badge_holders.user_id", "=", userId)
    .where("badges.deleted_at", "is", null)
    .orderBy("badge_holders.given_at")
    .orderBy("badges.id")
    .execute();
}

export async function insertHolder(db: Db, userId: string, badgeId: string): Promise<void> {
  await db
    .insertInto("badge_holders")
    .values({ user_id: userId, badge_id: badgeId, given_at: Date.now() })
    .execute();
}

/** Returns false when the person did not hold the badge. */
export async function deleteHolder(db: Db, userId: string, badgeId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("badge_holders")
    .where("user_id", "=", userId)
    .where("badge_id", "=", badgeId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Returns up to `limit` holders of a badge, in the order of their ids. */
export async function selectHolders(db: Db, badgeId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("badge_holders")
    .select("user_id")
    .where("badge_id", "=", badgeId)
    .orderBy("user_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}
