// The table of channels.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface ChannelsTable {
  id: string;
  server_id: string;
  name: string;
  type: "text" | "voice";
  category: string | null;
  position: number;
  created_at: number;
  /** When the channel was deleted; the row stays until its last message is swept. */
  deleted_at: number | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    channels: ChannelsTable;
  }
}

export function channelMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0005_channels": {
      async up(db) {
        await db.schema
          .createTable("channels")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("type", type.text, (c) => c.notNull())
          .addColumn("category", type.text)
          .addColumn("position", type.integer, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addColumn("deleted_at", type.integer)
          .execute();
        await db.schema.createIndex("channels_server").on("channels").column("server_id").execute();
        await db.schema
          .createIndex("channels_deleted")
          .on("channels")
          .column("deleted_at")
          .where("deleted_at", "is not", null)
          .execute();
      },
    },
    // Hands channels that were deleted before this migration, and that an older job looked for, to the sweep.
    "0031_channels_swept": {
      async up(db) {
        await sql`insert into sweeps (name, id)
          select 'messages by channel_id', id from channels where deleted_at is not null`.execute(db);
        await db.schema.dropIndex("channels_deleted").execute();
      },
    },
  };
}

export async function insertChannel(db: Db, row: ChannelsTable): Promise<void> {
  await db.insertInto("channels").values(row).execute();
}

export function selectChannel(db: Db, id: string): Promise<ChannelsTable | undefined> {
  return db
    .selectFrom("channels")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

const channelsInServers = prepared<{ serverIds: string }, ChannelsTable>((db, value) =>
  db
    .selectFrom("channels")
    .selectAll()
    .where(isListed(db, "server_id", value("serverIds")))
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id"),
);

/** The channels of these servers, each server's in their order. */
export function selectChannels(db: Db, serverIds: readonly string[]): Promise<ChannelsTable[]> {
  return channelsInServers(db, { serverIds: JSON.stringify(serverIds) });
}

const thoseListed = prepared<{ ids: string }, ChannelsTable>((db, value) =>
  db
    .selectFrom("channels")
    .selectAll()
    .where(isListed(db, "id", value("ids")))
    .where("deleted_at", "is", null),
);

export function selectChannelsById(db: Db, ids: readonly string[]): Promise<ChannelsTable[]> {
  return thoseListed(db, { ids: JSON.stringify(ids) });
}

const rowsPerServer = prepared<{ serverIds: string }, { server_id: string; count: number }>((db, value) =>
  db
    .selectFrom("channels")
    .select(["server_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isListed(db, "server_id", value("serverIds")))
    .groupBy("server_id"),
);

/** The number of channel rows of each server, including deleted channels that wait to be swept. */
export async function countChannels(db: Db, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsPerServer(db, { serverIds: JSON.stringify(serverIds) });
  return new Map(rows.map((row) => [row.server_id, row.count]));
}

/** The ids of all channel rows of a server, including deleted channels that wait to be swept. */
export async function selectChannelIds(db: Db, serverId: string): Promise<string[]> {
  const rows = await db.selectFrom("channels").select("id").where("server_id", "=", serverId).execute();
  return rows.map((row) => row.id);
}

export async function updateChannel(
  db: Db,
  id: string,
  changes: Partial<Pick<ChannelsTable, "name" | "category" | "position" | "deleted_at">>,
): Promise<void> {
  await db.updateTable("channels").set(changes).where("id", "=", id).execute();
}

export async function markAllDeleted(db: Db, serverId: string): Promise<void> {
  await db
    .updateTable("channels")
    .set({ deleted_at: Date.now() })
    .where("server_id", "=", serverId)
    .where("deleted_at", "is", null)
    .execute();
}

export async function removeChannel(db: Db, id: string): Promise<void> {
  await db.deleteFrom("channels").where("id", "=", id).execute();
}
