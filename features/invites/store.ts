// The table of invites.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface InvitesTable {
  code: string;
  server_id: string;
  inviter_id: string;
  /** Null: never expires. */
  expires_at: number | null;
  /** 0: no limit. */
  max_uses: number;
  uses: number;
  created_at: number;
  /** When the invite ceases to be live: its expiry, or `never`; `usedUp` once its uses are spent. */
  live_until: number;
}

/** Later than any time. */
const never = Number.MAX_SAFE_INTEGER;
const usedUp = 0;

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
    // An index that finds live invites without reading the ended ones.
    "0030_invites_live": {
      async up(db) {
        await db.schema
          .alterTable("invites")
          .addColumn("live_until", type.integer, (c) => c.notNull().defaultTo(usedUp))
          .execute();
        await sql`update invites set live_until = coalesce(expires_at, ${sql.lit(never)})
          where max_uses = 0 or uses < max_uses`.execute(db);
        await db.schema.dropIndex("invites_server").execute();
        await db.schema
          .createIndex("invites_live")
          .on("invites")
          .columns(["server_id", "live_until", "created_at", "code"])
          .execute();
        await db.schema
          .createIndex("invites_of_inviter")
          .on("invites")
          .columns(["server_id", "inviter_id", "live_until"])
          .execute();
      },
    },
  };
}

export async function insertInvite(db: Db, row: Omit<InvitesTable, "live_until">): Promise<void> {
  await db
    .insertInto("invites")
    .values({ ...row, live_until: row.expires_at ?? never })
    .execute();
}

export function selectInvite(db: Db, code: string): Promise<InvitesTable | undefined> {
  return db.selectFrom("invites").selectAll().where("code", "=", code).executeTakeFirst();
}

type Place = Pick<InvitesTable, "created_at" | "code">;

/** Returns live invites before the given one, newest first. */
export function selectLiveInvites(
  db: Db,
  serverId: string,
  before: Place | undefined,
  limit: number,
): Promise<InvitesTable[]> {
  // This query reads only the index, which finds the live invites in order.
  const codes = db
    .selectFrom("invites")
    .select("code")
    .where("server_id", "=", serverId)
    .where("live_until", ">", Date.now())
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("created_at", "code"), "<", eb.tuple(before?.created_at ?? 0, before?.code ?? "")),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("code", "desc")
    .limit(limit);
  return db
    .selectFrom("invites")
    .selectAll()
    .where("code", "in", codes)
    .orderBy("created_at", "desc")
    .orderBy("code", "desc")
    .execute();
}

/** Returns the number of live invites that a person made in a server. */
export async function countLiveInvites(db: Db, serverId: string, inviterId: string): Promise<number> {
  const { count } = await db
    .selectFrom("invites")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("server_id", "=", serverId)
    .where("inviter_id", "=", inviterId)
    .where("live_until", ">", Date.now())
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Takes one use of a live invite; condition and change are one statement. */
export async function spendInvite(db: Db, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("invites")
    .set((eb) => ({
      uses: eb("uses", "+", 1),
      live_until: eb
        .case()
        .when(eb.and([eb("max_uses", ">", 0), eb(eb("uses", "+", 1), ">=", eb.ref("max_uses"))]))
        .then(eb.lit(usedUp))
        .else(eb.ref("live_until"))
        .end(),
    }))
    .where("code", "=", code)
    .where("live_until", ">", Date.now())
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteInvite(db: Db, code: string): Promise<void> {
  await db.deleteFrom("invites").where("code", "=", code).execute();
}
