// The table of password reset links; only the hash of a token is stored.
import type { ExpressionBuilder, Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";
import type { Tables } from "../../server/database/tables.ts";

interface PasswordResetsTable {
  token_hash: string;
  user_id: string;
  /** Fingerprint of the password hash that the link replaces: once the password has changed, the link is void. */
  replaces: string;
  created_at: number;
  /** When the link was used, or replaced by a newer one. */
  spent_at: number | null;
  /** The admin of the instance who created the link; null for links requested by mail or created by the operator. */
  made_by: string | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    password_resets: PasswordResetsTable;
  }
}

export function passwordResetMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0023_password_resets": {
      async up(db) {
        await db.schema
          .createTable("password_resets")
          .addColumn("token_hash", type.text, (c) => c.primaryKey().notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id").onDelete("cascade"))
          .addColumn("replaces", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addColumn("spent_at", type.integer)
          .execute();
        await db.schema
          .createIndex("password_resets_user")
          .on("password_resets")
          .columns(["user_id", "created_at"])
          .execute();
      },
    },
    "0071_password_resets_made_by": expanding({
      async up(db) {
        await db.schema.alterTable("password_resets").addColumn("made_by", type.uuid).execute();
      },
    }),
  };
}

export async function insertLink(db: Db, row: PasswordResetsTable): Promise<void> {
  await db.insertInto("password_resets").values(row).execute();
}

export const linkLivesMs = 3600_000;

/** Counts used links, too. */
export async function countLinks(db: Db, userId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("password_resets")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("user_id", "=", userId)
    .where(isYoung(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns a link that has neither expired nor been used. */
export function selectLink(db: Db, tokenHash: string, now: number): Promise<PasswordResetsTable | undefined> {
  return db
    .selectFrom("password_resets")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("spent_at", "is", null)
    .where(isYoung(now))
    .executeTakeFirst();
}

/**
 * Excludes links from the far future, made by a wrong clock: they would be valid, and count, until the clock caught up.
 */
function isYoung(now: number) {
  return (eb: ExpressionBuilder<Tables, "password_resets">) =>
    eb.between("created_at", now - linkLivesMs + 1, now + linkLivesMs);
}

/** Returns false if the link was used already: of several concurrent uses one succeeds. */
export async function spendLink(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("password_resets")
    .set({ spent_at: now })
    .where("token_hash", "=", tokenHash)
    .where("spent_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Voids all open links of the account, or only those created by an admin. */
export async function spendLinks(
  db: Db,
  userId: string,
  now: number,
  { madeByAdmins }: { madeByAdmins: boolean },
): Promise<void> {
  await db
    .updateTable("password_resets")
    .set({ spent_at: now })
    .where("user_id", "=", userId)
    .where("spent_at", "is", null)
    .$if(madeByAdmins, (query) => query.where("made_by", "is not", null))
    .execute();
}

/** Few links are valid at a time, so the maker needs no index. */
export async function spendLinksMadeBy(db: Db, makerId: string, now: number): Promise<void> {
  await db
    .updateTable("password_resets")
    .set({ spent_at: now })
    .where("made_by", "=", makerId)
    .where("spent_at", "is", null)
    .execute();
}

/** Changes the fingerprint of the account's links from one to another. */
export async function updateReplaced(
  db: Db,
  userId: string,
  mark: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable("password_resets")
    .set({ replaces: mark.to })
    .where("user_id", "=", userId)
    .where("replaces", "=", mark.from)
    .execute();
}

const deletedAtOnce = 500;

/** Deletes a batch of old links. Returns whether there may be more. */
export async function deleteLinks(db: Db, before: number): Promise<boolean> {
  const some = db
    .selectFrom("password_resets")
    .select("token_hash")
    .where("created_at", "<=", before)
    .limit(deletedAtOnce);
  const deleted = await db.deleteFrom("password_resets").where("token_hash", "in", some).executeTakeFirst();
  return deleted.numDeletedRows === BigInt(deletedAtOnce);
}
