// The session table; only the hash of a token is stored.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listedRows } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { lastSeenMigrations } from "./last-seen.ts";
import { passwordSignInMigrations } from "./password-sign-ins.ts";

export interface SessionsTable {
  id: string;
  user_id: string;
  token_hash: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
  /** How the session was opened; null if an older release opened it. */
  opened_by: SessionWay | null;
}

/** How the person proved their identity. */
export type SessionWay = "password" | "passkey" | "registration";

declare module "../../server/database/tables.ts" {
  interface Tables {
    sessions: SessionsTable;
  }
}

export function sessionMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    ...lastSeenMigrations(engine),
    ...passwordSignInMigrations(engine),
    "0009_sessions": {
      async up(db) {
        await db.schema
          .createTable("sessions")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("token_hash", type.text, (c) => c.notNull().unique())
          .addColumn("user_agent", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addColumn("last_used_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
        await db.schema.createIndex("sessions_used").on("sessions").column("last_used_at").execute();
      },
    },
    "0070_sessions_opened_by": expanding({
      async up(db) {
        await db.schema.alterTable("sessions").addColumn("opened_by", type.text).execute();
      },
    }),
  };
}

export async function insertSession(db: Db, row: SessionsTable): Promise<void> {
  await db.insertInto("sessions").values(row).execute();
}

export function selectByHash(db: Db, tokenHash: string): Promise<SessionsTable | undefined> {
  return db.selectFrom("sessions").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

export function selectSessions(db: Db, userId: string): Promise<SessionsTable[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .execute();
}

/** Returns when each session of these people was last used, as far as it is written. */
export function selectUses(
  db: Db,
  userIds: readonly string[],
): Promise<Pick<SessionsTable, "id" | "user_id" | "last_used_at">[]> {
  return db
    .selectFrom("sessions")
    .select(["id", "user_id", "last_used_at"])
    .where(isListed(db, "user_id", JSON.stringify(userIds)))
    .execute();
}

/** Both engines limit the number of parameters per statement. */
const deletedAtOnce = 1000;

export async function deleteSessions(db: Db, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += deletedAtOnce) {
    const some = ids.slice(i, i + deletedAtOnce);
    await db.deleteFrom("sessions").where("id", "in", some).execute();
  }
}

export async function updateTokenHash(db: Db, id: string, tokenHash: string): Promise<void> {
  await db.updateTable("sessions").set({ token_hash: tokenHash }).where("id", "=", id).execute();
}

/**
 * Stores last uses of sessions. A session opened while the clock was ahead counts from its first use with the right
 * time.
 */
export async function touchSessions(db: Db, uses: readonly { id: string; at: number }[]): Promise<void> {
  const used = listedRows<{ id: string; at: number }>(db, JSON.stringify(uses), { id: "uuid", at: "bigint" });
  await db
    .updateTable("sessions")
    .from(used.as("used"))
    .set((eb) => ({
      last_used_at: eb.ref("used.at"),
      created_at: eb
        .case()
        .when("sessions.created_at", ">", eb.ref("used.at"))
        .then(eb.ref("used.at"))
        .else(eb.ref("sessions.created_at"))
        .end(),
    }))
    .whereRef("sessions.id", "=", "used.id")
    .execute();
}

/** Returns sessions last used, or opened, before these times (milliseconds since 1970), at most `limit`. */
export function selectExpired(
  db: Db,
  before: { used: number; created: number },
  limit: number,
): Promise<SessionsTable[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where((eb) => eb.or([eb("last_used_at", "<", before.used), eb("created_at", "<", before.created)]))
    .limit(limit)
    .execute();
}
