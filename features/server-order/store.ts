// The table of orders: one row for each person who put their servers into one.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

interface ServerOrdersTable {
  user_id: string;
  /** JSON: the memberships as they were when the person named their servers, in order. */
  memberships: string;
}

/** A membership as it is named in an order: whoever leaves and comes back has another one. */
export interface OrderedMembership {
  server_id: string;
  joined_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    server_orders: ServerOrdersTable;
  }
}

export function serverOrderMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0093_server_orders": expanding({
      async up(db) {
        await db.schema
          .createTable("server_orders")
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull().references("users.id"))
          .addColumn("memberships", type.text, (c) => c.notNull())
          .execute();
      },
    }),
  };
}

const ofUser = prepared<{ userId: string }, Pick<ServerOrdersTable, "memberships">>((db, value) =>
  db.selectFrom("server_orders").select("memberships").where("user_id", "=", value("userId")),
);

/** Returns the memberships that a person named, in order, including those that have ended since. */
export async function selectOrder(db: Db, userId: string): Promise<OrderedMembership[]> {
  const [row] = await ofUser(db, { userId });
  return row ? JSON.parse(row.memberships) : [];
}

export async function upsertOrder(
  db: Db,
  userId: string,
  order: readonly OrderedMembership[],
): Promise<void> {
  const memberships = JSON.stringify(order);
  await db
    .insertInto("server_orders")
    .values({ user_id: userId, memberships })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ memberships }))
    .execute();
}
