// The server table, with all of its SQL.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface ServersTable {
  id: string;
  name: string;
  icon: string | null;
  /** The name of the picture that the owner uploaded, in place of the address in `icon`; null without one. */
  own_icon: string | null;
  owner_id: string;
  member_count: number;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    servers: ServersTable;
  }
}

export function serverMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0002_servers": {
      async up(db) {
        await db.schema
          .createTable("servers")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("icon", type.text)
          .addColumn("owner_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("member_count", type.integer, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("servers_owner").on("servers").column("owner_id").execute();
      },
    },
    "0096_own_icons": expanding({
      async up(db) {
        await db.schema.alterTable("servers").addColumn("own_icon", type.text).execute();
      },
    }),
  };
}

export async function insertServer(db: Db, row: ServersTable): Promise<void> {
  await db.insertInto("servers").values(row).execute();
}

export function selectServer(db: Db, id: string): Promise<ServersTable | undefined> {
  return db.selectFrom("servers").selectAll().where("id", "=", id).executeTakeFirst();
}

export function selectServerForUpdate(db: Db, id: string): Promise<ServersTable | undefined> {
  return db.selectFrom("servers").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

const thoseListed = prepared<{ ids: string }, ServersTable>((db, value) =>
  db
    .selectFrom("servers")
    .selectAll()
    .where(isListed(db, "id", value("ids")))
    .orderBy("id"),
);

export function selectServers(db: Db, ids: readonly string[]): Promise<ServersTable[]> {
  return thoseListed(db, { ids: JSON.stringify(ids) });
}

/** Returns servers in the order of ids, the oldest first. */
export function selectServersAfter(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<ServersTable[]> {
  return db
    .selectFrom("servers")
    .selectAll()
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** A condition for a larger query: the server with the id in this column exists. */
export function serverExists(db: Db, column: string) {
  const server = db.selectFrom("servers").select("id").where("id", "=", sql.ref<string>(column));
  return sql<boolean>`exists ${server}`;
}

export async function countOwned(db: Db, userId: string): Promise<number> {
  const rows = await db.selectFrom("servers").select("id").where("owner_id", "=", userId).execute();
  return rows.length;
}

export async function updateServer(
  db: Db,
  id: string,
  changes: Partial<Pick<ServersTable, "name" | "icon" | "own_icon" | "owner_id">>,
): Promise<void> {
  await db.updateTable("servers").set(changes).where("id", "=", id).execute();
}

export async function addToMemberCount(db: Db, id: string, change: 1 | -1): Promise<void> {
  await db
    .updateTable("servers")
    .set((eb) => ({ member_count: eb("member_count", "+", change) }))
    .where("id", "=", id)
    .execute();
}

export async function removeServer(db: Db, id: string): Promise<void> {
  await db.deleteFrom("servers").where("id", "=", id).execute();
}
