// The tables of roles and role holders.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import type { Report } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";
import { replaceTable } from "../../server/database/replace-table.ts";

export interface RolesTable {
  id: string;
  server_id: string;
  name: string;
  color: string;
  permissions: number;
  position: number;
  is_default: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    roles: RolesTable;
    member_roles: { server_id: string; user_id: string; role_id: string };
  }
}

const memberRolesKey = ["server_id", "user_id", "role_id"] as const;

export function roleMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0003_roles": {
      async up(db) {
        await db.schema
          .createTable("roles")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("color", type.text, (c) => c.notNull())
          .addColumn("permissions", type.integer, (c) => c.notNull())
          .addColumn("position", type.integer, (c) => c.notNull())
          .addColumn("is_default", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("roles_server").on("roles").column("server_id").execute();
        await db.schema
          .createTable("member_roles")
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("role_id", type.uuid, (c) => c.notNull().references("roles.id").onDelete("cascade"))
          .addPrimaryKeyConstraint("member_roles_pk", ["server_id", "user_id", "role_id"])
          .execute();
        await db.schema.createIndex("member_roles_role").on("member_roles").column("role_id").execute();
      },
    },
    // Holders of a deleted role are swept later, so they must not prevent the deletion of its row.
    "0031_holders_apart": {
      async up(db) {
        if (engine === "postgres") {
          await db.schema.alterTable("member_roles").dropConstraint("member_roles_role_id_fkey").execute();
          await db.schema.dropIndex("member_roles_role").execute();
        } else {
          const create = (name: string) =>
            db.schema
              .createTable(name)
              .addColumn("server_id", type.uuid, (c) => c.notNull())
              .addColumn("user_id", type.uuid, (c) => c.notNull())
              .addColumn("role_id", type.uuid, (c) => c.notNull())
              .addPrimaryKeyConstraint("member_roles_pk", [...memberRolesKey])
              .execute();
          await replaceTable(db, { table: "member_roles", create, key: memberRolesKey }, report);
        }
        await db.schema
          .createIndex("member_roles_role")
          .on("member_roles")
          .columns(["role_id", "user_id"])
          .execute();
      },
    },
  };
}

export async function insertRole(db: Db, row: RolesTable): Promise<void> {
  await db.insertInto("roles").values(row).execute();
}

const rolesInServers = prepared<{ serverIds: string }, RolesTable>((db, value) =>
  db
    .selectFrom("roles")
    .selectAll()
    .where(isListed(db, "server_id", value("serverIds")))
    .orderBy("position", "desc")
    .orderBy("id"),
);

/** Returns the roles of these servers, the highest first. */
export function selectRoles(db: Db, serverIds: readonly string[]): Promise<RolesTable[]> {
  return rolesInServers(db, { serverIds: JSON.stringify(serverIds) });
}

const rolesPerServer = prepared<{ serverIds: string }, { server_id: string; count: number }>((db, value) =>
  db
    .selectFrom("roles")
    .select(["server_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isListed(db, "server_id", value("serverIds")))
    .groupBy("server_id"),
);

/** Returns the number of roles of each of these servers. */
export async function countRoles(db: Db, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await rolesPerServer(db, { serverIds: JSON.stringify(serverIds) });
  return new Map(rows.map((row) => [row.server_id, row.count]));
}

export async function updateRole(db: Db, { id, ...changes }: RolesTable): Promise<void> {
  await db.updateTable("roles").set(changes).where("id", "=", id).execute();
}

export async function deleteRole(db: Db, id: string): Promise<void> {
  await db.deleteFrom("roles").where("id", "=", id).execute();
}

export async function isHeld(db: Db, roleId: string): Promise<boolean> {
  const row = await db
    .selectFrom("member_roles")
    .select("user_id")
    .where("role_id", "=", roleId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the ids of those who hold the role, in order, after this one. */
export async function selectHolders(
  db: Db,
  roleId: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("member_roles")
    .select("user_id")
    .where("role_id", "=", roleId)
    .$if(after !== undefined, (query) => query.where("user_id", ">", after ?? ""))
    .orderBy("user_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

type HeldRole = { server_id: string; user_id: string; role_id: string };

const rolesHeld = prepared<{ serverIds: string; userIds: string }, HeldRole>((db, value) =>
  db
    .selectFrom("member_roles as held")
    // A recently deleted role may still have rows of holders.
    .innerJoin("roles", (join) =>
      join.onRef("roles.server_id", "=", "held.server_id").onRef("roles.id", "=", "held.role_id"),
    )
    .select(["held.server_id", "held.user_id", "held.role_id"])
    .where(isListed(db, "held.server_id", value("serverIds")))
    .where(isListed(db, "held.user_id", value("userIds")))
    .orderBy("held.role_id"),
);

/** Returns the roles that these people hold in these servers. */
export function selectHeldRoles(
  db: Db,
  serverIds: readonly string[],
  userIds: readonly string[],
): Promise<HeldRole[]> {
  return rolesHeld(db, { serverIds: JSON.stringify(serverIds), userIds: JSON.stringify(userIds) });
}

/** Returns the roles that these people hold in the server, by user. */
export async function selectMemberRoles(
  db: Db,
  serverId: string,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map();
  const byUser = Map.groupBy(await selectHeldRoles(db, [serverId], userIds), (row) => row.user_id);
  return new Map([...byUser].map(([userId, held]) => [userId, held.map((row) => row.role_id)]));
}

export async function replaceMemberRoles(
  db: Db,
  serverId: string,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom("member_roles")
    .where("server_id", "=", serverId)
    .where("user_id", "=", userId)
    .execute();
  if (roleIds.length === 0) return;
  await db
    .insertInto("member_roles")
    .values(roleIds.map((role_id) => ({ server_id: serverId, user_id: userId, role_id })))
    .execute();
}

export async function deleteRolesOf(db: Db, serverId: string): Promise<void> {
  await db.deleteFrom("roles").where("server_id", "=", serverId).execute();
}
