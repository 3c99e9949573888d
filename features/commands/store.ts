// The table of slash commands.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface CommandsTable {
  id: string;
  bot_id: string;
  server_id: string;
  name: string;
  description: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    commands: CommandsTable;
  }
}

export function commandMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0014_commands": {
      async up(db) {
        await db.schema
          .createTable("commands")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("bot_id", type.uuid, (c) => c.notNull().references("bots.id").onDelete("cascade"))
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("description", type.text, (c) => c.notNull())
          .addUniqueConstraint("commands_name", ["server_id", "bot_id", "name"])
          .execute();
        await db.schema.createIndex("commands_bot").on("commands").columns(["bot_id", "id"]).execute();
      },
    },
  };
}

/** Returns false when the bot has a command of that name in that server. */
export async function insertCommand(db: Db, row: CommandsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("commands")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the number of commands of one bot, or of all bots, in a server. */
export async function countCommands(db: Db, serverId: string, botId?: string): Promise<number> {
  const rows = await db
    .selectFrom("commands")
    .select("id")
    .where("server_id", "=", serverId)
    .$if(botId !== undefined, (query) => query.where("bot_id", "=", botId ?? ""))
    .execute();
  return rows.length;
}

/** Returns the commands of a bot, the oldest first: ids are in the order of creation. */
export function selectCommandsOf(
  db: Db,
  botId: string,
  after: string | undefined,
  limit: number,
): Promise<CommandsTable[]> {
  return db
    .selectFrom("commands")
    .selectAll()
    .where("bot_id", "=", botId)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns all commands in a server; their number is limited, so that a client can take them at once. */
export function selectCommandsIn(db: Db, serverId: string): Promise<CommandsTable[]> {
  return db
    .selectFrom("commands")
    .selectAll()
    .where("server_id", "=", serverId)
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** Returns false when the bot has no such command. */
export async function deleteCommand(db: Db, botId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("commands")
    .where("bot_id", "=", botId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Deletes the commands of one bot, or of all bots, in a server. */
export async function deleteCommandsIn(db: Db, serverId: string, botId?: string): Promise<void> {
  await db
    .deleteFrom("commands")
    .where("server_id", "=", serverId)
    .$if(botId !== undefined, (query) => query.where("bot_id", "=", botId ?? ""))
    .execute();
}
