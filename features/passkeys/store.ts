// The table of passkeys: it holds public keys only, which give no access.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface PasskeysTable {
  /** The credential id in base64url, unique: a key has one owner. */
  id: string;
  user_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** The key's own signature counter; 0 for keys that do not count. */
  counter: number;
  backup_eligible: number;
  backed_up: number;
  /** JSON array of the transports by which the browser can reach the key. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    passkeys: PasskeysTable;
  }
}

export function passkeyMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0018_passkeys": {
      async up(db) {
        await db.schema
          .createTable("passkeys")
          .addColumn("id", type.text, (c) => c.primaryKey().notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id").onDelete("cascade"))
          .addColumn("public_key", type.text, (c) => c.notNull())
          .addColumn("counter", type.integer, (c) => c.notNull())
          .addColumn("backup_eligible", type.integer, (c) => c.notNull())
          .addColumn("backed_up", type.integer, (c) => c.notNull())
          .addColumn("transports", type.text, (c) => c.notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addColumn("last_used_at", type.integer)
          .execute();
        await db.schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();
      },
    },
  };
}

/** Returns false if the key is registered already. */
export async function insertPasskey(db: Db, row: PasskeysTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export function selectPasskey(db: Db, id: string): Promise<PasskeysTable | undefined> {
  return db.selectFrom("passkeys").selectAll().where("id", "=", id).executeTakeFirst();
}

export function selectPasskeys(db: Db, userId: string): Promise<PasskeysTable[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/**
 * Stores a use if the key's counter has increased since the last one, or is always 0. Comparison and update are one
 * statement, so that of two clones of a key with equal counters only one signs in. Returns false if the counter has not
 * increased, or the key is deleted.
 */
export async function useOnce(db: Db, id: string, counter: number, backedUp: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("passkeys")
    .set({ counter, backed_up: backedUp ? 1 : 0, last_used_at: Date.now() })
    .where("id", "=", id)
    .where((eb) => (counter === 0 ? eb("counter", "=", 0) : eb("counter", "<", counter)))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Returns false if the person has no such key. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
