// The tables of notification and push settings. Default values have no row.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { Level, PushWhen } from "./contract.ts";

export interface SettingsTable {
  user_id: string;
  /** The id of a server or of a channel. */
  target_id: string;
  /** The server itself, or that of the channel. Null for a channel outside of servers. */
  server_id: string | null;
  /** Null: for a channel the level of its server, for a server the default. */
  level: Level | null;
  muted_until: number | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    notification_settings: SettingsTable;
    push_settings: { user_id: string; push_when: Exclude<PushWhen, "away"> };
  }
}

export function notificationMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0045_notification_settings": {
      async up(db) {
        await db.schema
          .createTable("notification_settings")
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("target_id", type.uuid, (c) => c.notNull())
          .addColumn("server_id", type.uuid)
          .addColumn("level", type.text)
          .addColumn("muted_until", type.integer)
          .addPrimaryKeyConstraint("notification_settings_pk", ["user_id", "target_id"])
          .execute();
        await db.schema
          .createIndex("notification_settings_target")
          .on("notification_settings")
          .columns(["target_id", "user_id"])
          .execute();
        await db.schema
          .createTable("push_settings")
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("push_when", type.text, (c) => c.notNull())
          .execute();
      },
    },
  };
}

const ofUser = prepared<{ userId: string }, SettingsTable>((db, value) =>
  db
    .selectFrom("notification_settings")
    .selectAll()
    .where("user_id", "=", value("userId"))
    .orderBy("target_id"),
);

/** Returns all settings of a person, including those of servers and channels that they cannot see now. */
export function selectSettings(db: Db, userId: string): Promise<SettingsTable[]> {
  return ofUser(db, { userId });
}

const ofTargets = prepared<{ targetIds: string; userIds: string }, SettingsTable>((db, value) =>
  db
    .selectFrom("notification_settings")
    .selectAll()
    .where(isListed(db, "target_id", value("targetIds")))
    .where(isListed(db, "user_id", value("userIds"))),
);

/** Returns the settings of these people for these servers and channels. */
export function selectSettingsOf(
  db: Db,
  targetIds: readonly string[],
  userIds: readonly string[],
): Promise<SettingsTable[]> {
  return ofTargets(db, { targetIds: JSON.stringify(targetIds), userIds: JSON.stringify(userIds) });
}

const withLevelAll = prepared<{ userIds: string }, Pick<SettingsTable, "user_id" | "target_id">>(
  (db, value) =>
    db
      .selectFrom("notification_settings")
      .select(["user_id", "target_id"])
      .where(isListed(db, "user_id", value("userIds")))
      .where("level", "=", "all"),
);

/** Returns the servers and channels whose level these people have set to "all". */
export function selectLevelAll(db: Db, userIds: readonly string[]) {
  return withLevelAll(db, { userIds: JSON.stringify(userIds) });
}

export async function upsertSetting(db: Db, row: SettingsTable): Promise<void> {
  const { level, muted_until } = row;
  await db
    .insertInto("notification_settings")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "target_id"]).doUpdateSet({ level, muted_until }))
    .execute();
}

/** Deletes a person's settings of these targets. Returns false if there were none. */
export async function deleteSettings(db: Db, userId: string, targetIds: readonly string[]): Promise<boolean> {
  if (targetIds.length === 0) return false;
  const { numDeletedRows } = await db
    .deleteFrom("notification_settings")
    .where("user_id", "=", userId)
    .where("target_id", "in", targetIds)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes a person's settings of a server and its channels. Returns false if there were none. */
export async function deleteSettingsIn(db: Db, userId: string, serverId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("notification_settings")
    .where("user_id", "=", userId)
    .where("server_id", "=", serverId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns by person when they get pushes; those with the default have no entry. */
export async function selectPushWhen(db: Db, userIds: readonly string[]): Promise<Map<string, PushWhen>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.selectFrom("push_settings").selectAll().where("user_id", "in", userIds).execute();
  return new Map(rows.map((row) => [row.user_id, row.push_when]));
}

export async function setPushWhen(db: Db, userId: string, when: PushWhen): Promise<void> {
  if (when === "away") await db.deleteFrom("push_settings").where("user_id", "=", userId).execute();
  else
    await db
      .insertInto("push_settings")
      .values({ user_id: userId, push_when: when })
      .onConflict((conflict) => conflict.column("user_id").doNothing())
      .execute();
}
