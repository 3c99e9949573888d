// The table of invites.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface InvitesTable {
  code: string;
  server_id: string;
  inviter_id: string;
  /** Null: never. */
  expires_at: number | null;
  /** 0: no limit. */
  max_uses: number;
  uses: number;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    invites: InvitesTable;
  }
}

export function inviteMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0008_invites": {
      async up(db) {
        await db.schema
          .createTable("invites")
          .addColumn("code", type.text, (c) => c.primaryKey().notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("inviter_id", type.uuid, (c) => c.notNull())
          .addColumn("expires_at", type.integer)
          .addColumn("max_uses", type.integer, (c) => c.notNull())
          .addColumn("uses", type.integer, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createIndex("invites_server")
          .on("invites")
          .columns(["server_id", "inviter_id"])
          .execute();
      },
    },
  };
}

export async function insertInvite(db: Db, row: InvitesTable): Promise<void> {
  await db.insertInto("invites").values(row).execute();
}

export function selectInvite(db: Db, code: string): Promise<InvitesTable | undefined> {
  return db.selectFrom("invites").selectAll().where("code", "=", code).executeTakeFirst();
}

/** Live ones, newest first; with `inviterId`, only theirs. */
export function selectLiveInvites(db: Db, serverId: string, inviterId?: string): Promise<InvitesTable[]> {
  return db
    .selectFrom("invites")
    .selectAll()
    .where("server_id", "=", serverId)
    .$if(inviterId !== undefined, (query) => query.where("inviter_id", "=", inviterId ?? ""))
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", Date.now())]))
    .where((eb) => eb.or([eb("max_uses", "=", 0), eb("uses", "<", eb.ref("max_uses"))]))
    .orderBy("created_at", "desc")
    .limit(1000)
    .execute();
}

/** Takes one use, if the invite is still live; the condition and the change are one statement. */
export async function useInvite(db: Db, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("invites")
    .set((eb) => ({ uses: eb("uses", "+", 1) }))
    .where("code", "=", code)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", Date.now())]))
    .where((eb) => eb.or([eb("max_uses", "=", 0), eb("uses", "<", eb.ref("max_uses"))]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteInvite(db: Db, code: string): Promise<void> {
  await db.deleteFrom("invites").where("code", "=", code).execute();
}

export async function deleteInvitesOf(db: Db, serverId: string): Promise<void> {
  await db.deleteFrom("invites").where("server_id", "=", serverId).execute();
}
