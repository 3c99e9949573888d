// The table of bots, which stores only the hash of a token.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface BotsTable {
  /** The id of the bot's row in `users`, which holds its name, picture and creation time. */
  id: string;
  owner_id: string;
  description: string;
  token_hash: string;
  /**
   * Identifies the token without revealing it: its sockets are closed by this id. A disabled bot gets another id for
   * the same token.
   */
  token_id: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    bots: BotsTable;
  }
}

export function botMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0013_bots": {
      async up(db) {
        await db.schema
          .createTable("bots")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull().references("users.id"))
          .addColumn("owner_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("description", type.text, (c) => c.notNull())
          .addColumn("token_hash", type.text, (c) => c.notNull().unique())
          .addColumn("token_id", type.uuid, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("bots_owner").on("bots").column("owner_id").execute();
      },
    },
    // Accounts know the owners of bots since this migration. The owners of bots deleted earlier are not known any more.
    "0026_owners_of_bots": {
      async up(db) {
        await sql`update users set owner_id = (select bots.owner_id from bots where bots.id = users.id)
          where users.is_bot = 1`.execute(db);
      },
    },
  };
}

export async function insertBotRow(db: Db, row: BotsTable): Promise<void> {
  await db.insertInto("bots").values(row).execute();
}

export function selectBot(db: Db, id: string): Promise<BotsTable | undefined> {
  return db.selectFrom("bots").selectAll().where("id", "=", id).executeTakeFirst();
}

export function selectBotForUpdate(db: Db, id: string): Promise<BotsTable | undefined> {
  return db.selectFrom("bots").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

export function selectBotByHash(db: Db, tokenHash: string): Promise<BotsTable | undefined> {
  return db.selectFrom("bots").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

/** Returns the bots of an owner, the oldest first: ids are in the order of creation. */
export function selectBotsOf(db: Db, ownerId: string): Promise<BotsTable[]> {
  return db.selectFrom("bots").selectAll().where("owner_id", "=", ownerId).orderBy("id").execute();
}

export async function updateBotRow(
  db: Db,
  id: string,
  changes: Partial<Pick<BotsTable, "description" | "token_hash" | "token_id">>,
): Promise<void> {
  await db.updateTable("bots").set(changes).where("id", "=", id).execute();
}

export async function deleteBotRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("bots").where("id", "=", id).execute();
}
