// The table of channels.
import { type Migration, type NotNull, sql } from "kysely";
import type { Audience } from "../../protocol/event.ts";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface ChannelsTable {
  id: string;
  /** Null for a channel outside servers. */
  server_id: string | null;
  /** The class of the channel: all channels of a class are seen by the same people. */
  audience: Audience;
  name: string;
  /** `direct` and `group`: conversations, which are in no server. */
  type: "text" | "voice" | "direct" | "group";
  topic: string | null;
  category: string | null;
  position: number;
  created_at: number;
  /** When the channel was deleted; the row stays until its last message is swept. */
  deleted_at: number | null;
}

/** The types of the channels that READY and lists have, and that the limit of a server counts. */
const listedTypes: ServerChannel["type"][] = ["text", "voice"];

export type ServerChannel = ChannelsTable & { server_id: string; type: "text" | "voice" };

/** The class of channels without overrides: everybody with VIEW_CHANNEL in the server sees them. */
export const viewers: Audience = "viewers";

/** Returns the class of a channel that has overrides, or had some once: no other channel is in it. */
export function classOf(channelId: string): Audience {
  return `channel:${channelId}`;
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
    // Queues channels deleted before this migration, which an older job looked for, for the sweep.
    "0031_channels_swept": {
      async up(db) {
        await sql`insert into sweeps (name, id)
          select 'messages by channel_id', id from channels where deleted_at is not null`.execute(db);
        await db.schema.dropIndex("channels_deleted").execute();
      },
    },
    "0034_channels_in_places": {
      async up(db) {
        await sql`alter table channels alter column server_id drop not null`.execute(db);
        await db.schema
          .alterTable("channels")
          .addColumn("audience", type.text, (c) => c.notNull().defaultTo(viewers))
          .execute();
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

export function isInServer<C extends Pick<ChannelsTable, "server_id">>(
  channel: C,
): channel is C & Pick<ServerChannel, "server_id" | "type"> {
  return channel.server_id !== null;
}

const placeOfOne = prepared<{ id: string }, Pick<ChannelsTable, "server_id" | "audience">>((db, value) =>
  db.selectFrom("channels").select(["server_id", "audience"]).where("id", "=", value("id")),
);

/** Returns the columns that make the place of a channel, also of a deleted one that waits to be swept. */
export async function selectPlace(db: Db, id: string) {
  return (await placeOfOne(db, { id }))[0];
}

const channelsInServers = prepared<{ serverIds: string }, ServerChannel>((db, value) =>
  db
    .selectFrom("channels")
    .selectAll()
    .$narrowType<{ server_id: NotNull }>()
    .where(isListed(db, "server_id", value("serverIds")))
    .where("type", "in", listedTypes)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id"),
);

/** Returns the channels that these servers list, in order within each server. */
export function selectChannels(db: Db, serverIds: readonly string[]): Promise<ServerChannel[]> {
  return channelsInServers(db, { serverIds: JSON.stringify(serverIds) });
}

const apartInServers = prepared<{ serverIds: string }, Pick<ServerChannel, "id" | "server_id" | "audience">>(
  (db, value) =>
    db
      .selectFrom("channels")
      .select(["id", "server_id", "audience"])
      .$narrowType<{ server_id: NotNull }>()
      // Written out, as in the index of such channels.
      .where(sql<boolean>`audience <> ${sql.lit(viewers)}`)
      .where(isListed(db, "server_id", value("serverIds"))),
);

/** Returns the channels of these servers that are not in the class of all viewers, deleted ones too. */
export function selectChannelsApart(db: Db, serverIds: readonly string[]) {
  return apartInServers(db, { serverIds: JSON.stringify(serverIds) });
}

const apartPerServer = prepared<{ serverIds: string }, { server_id: string; count: number }>((db, value) =>
  db
    .selectFrom("channels")
    .select(["server_id", (eb) => eb.fn.countAll<number>().as("count")])
    .$narrowType<{ server_id: NotNull }>()
    .where(sql<boolean>`audience <> ${sql.lit(viewers)}`)
    .where(isListed(db, "server_id", value("serverIds")))
    .groupBy("server_id"),
);

/** Returns the number of such channels of each of these servers that has any. */
export async function countChannelsApart(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await apartPerServer(db, { serverIds: JSON.stringify(serverIds) });
  return new Map(rows.map(({ server_id, count }) => [server_id, Number(count)]));
}

const thoseListed = prepared<{ ids: string }, ChannelsTable>((db, value) =>
  db
    .selectFrom("channels")
    .selectAll()
    .where(isListed(db, "id", value("ids")))
    .where("deleted_at", "is", null),
);

export async function selectDeletion(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db.selectFrom("channels").select("deleted_at").where("id", "=", id).executeTakeFirst();
  return row?.deleted_at;
}

export function selectChannelsById(db: Db, ids: readonly string[]): Promise<ChannelsTable[]> {
  return thoseListed(db, { ids: JSON.stringify(ids) });
}

const audiencesListed = prepared<{ ids: string }, Pick<ChannelsTable, "id" | "audience">>((db, value) =>
  db
    .selectFrom("channels")
    .select(["id", "audience"])
    .where(isListed(db, "id", value("ids")))
    .where("deleted_at", "is", null),
);

/** Returns the audiences of those of these channels that exist, by id. */
export async function selectAudiences(db: Db, ids: readonly string[]): Promise<Map<string, Audience>> {
  const rows = await audiencesListed(db, { ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, audience }) => [id, audience]));
}

const rowsPerServer = prepared<{ serverIds: string }, { server_id: string; count: number }>((db, value) =>
  db
    .selectFrom("channels")
    .select(["server_id", (eb) => eb.fn.countAll<number>().as("count")])
    .$narrowType<{ server_id: NotNull }>()
    .where(isListed(db, "server_id", value("serverIds")))
    .groupBy("server_id"),
);

/** Returns the number of channel rows of each server, including deleted channels that wait to be swept. */
export async function countChannels(db: Db, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsPerServer(db, { serverIds: JSON.stringify(serverIds) });
  return new Map(rows.map((row) => [row.server_id, row.count]));
}

/**
 * Returns the ids of all channels with a row, including deleted ones that wait to be swept; with `audiences`, only of
 * these classes.
 */
export async function selectChannelIds(
  db: Db,
  serverId: string,
  audiences?: ReadonlySet<Audience>,
): Promise<string[]> {
  const rows = await db
    .selectFrom("channels")
    .select(["id", "audience"])
    .where("server_id", "=", serverId)
    .execute();
  return rows.flatMap(({ id, audience }) => (audiences?.has(audience) === false ? [] : [id]));
}

export async function updateChannel(
  db: Db,
  id: string,
  changes: Partial<
    Pick<ChannelsTable, "name" | "topic" | "category" | "position" | "audience" | "deleted_at">
  >,
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
