// The table of overrides: what a channel allows or denies to the holders of a role, or to one member.
import { type Kysely, type Migration, sql } from "kysely";
import type { Override } from "../../protocol/overrides.ts";
import { type ColumnTypes, columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";
import { noteRollOut } from "../../server/house/roll-out.ts";
import { isInServer, type ServerChannel, selectChannelsApart, selectChannelsById } from "./store.ts";

interface ChannelOverridesTable {
  channel_id: string;
  /** The id of the role or user. */
  target_id: string;
  kind: Override["kind"];
  allow: number;
  deny: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    channel_overrides: ChannelOverridesTable;
  }
}

export function overrideMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0086_channel_overrides": expanding({
      async up(db) {
        await addOverrides(db, type);
        if (engine === "postgres") await noteRollOut(db);
      },
    }),
  };
}

async function addOverrides(db: Kysely<unknown>, type: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("channel_overrides")
    .addColumn("channel_id", type.uuid, (c) => c.notNull())
    .addColumn("target_id", type.uuid, (c) => c.notNull())
    .addColumn("kind", type.text, (c) => c.notNull())
    .addColumn("allow", type.integer, (c) => c.notNull())
    .addColumn("deny", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("channel_overrides_pk", ["channel_id", "target_id"])
    .execute();
  await db.schema
    .createIndex("channel_overrides_target")
    .on("channel_overrides")
    .column("target_id")
    .execute();
  await db.schema.alterTable("channels").addColumn("topic", type.text).execute();
  // Most servers have no such channel: those that have one are found without reading all their channels.
  await db.schema
    .createIndex("channels_apart")
    .on("channels")
    .column("server_id")
    .where(sql.ref("audience"), "<>", sql.lit("viewers"))
    .execute();
}

const overridesOfChannels = prepared<{ ids: string }, ChannelOverridesTable>((db, value) =>
  db
    .selectFrom("channel_overrides")
    .selectAll()
    .where(isListed(db, "channel_id", value("ids")))
    .orderBy("target_id"),
);

/** Returns the overrides of these channels, by channel id. */
export async function selectOverrides(
  db: Db,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, Override[]>> {
  const rows = await overridesOfChannels(db, { ids: JSON.stringify(channelIds) });
  const byChannel = Map.groupBy(rows, ({ channel_id }) => channel_id);
  return new Map([...byChannel].map(([id, rows]) => [id, rows.map(toOverride)]));
}

function toOverride({ target_id, kind, allow, deny }: ChannelOverridesTable): Override {
  return { id: target_id, kind, allow, deny };
}

/** Returns the number of overrides of all channels of a server, deleted ones that wait to be swept too. */
export async function countOverrides(db: Db, serverId: string): Promise<number> {
  const apart = await selectChannelsApart(db, [serverId]);
  if (apart.length === 0) return 0;
  const { count } = await db
    .selectFrom("channel_overrides")
    .select((eb) => eb.fn.countAll().as("count"))
    .where(isListed(db, "channel_id", JSON.stringify(apart.map(({ id }) => id))))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A channel that has an override for a role or member, and all of its overrides. */
interface Overridden {
  channel: ServerChannel;
  override: Override;
  overrides: readonly Override[];
}

/** Returns the channels of the server that have an override for this role or user, without deleted ones. */
export async function selectOverridden(db: Db, serverId: string, targetId: string): Promise<Overridden[]> {
  const apart = await selectChannelsApart(db, [serverId]);
  if (apart.length === 0) return [];
  const rows = await db
    .selectFrom("channel_overrides")
    .selectAll()
    .where("target_id", "=", targetId)
    .where(isListed(db, "channel_id", JSON.stringify(apart.map(({ id }) => id))))
    .orderBy("channel_id")
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ channel_id }) => channel_id);
  const channels = new Map((await selectChannelsById(db, ids)).map((each) => [each.id, each]));
  const overrides = await selectOverrides(db, ids);
  return rows.flatMap((row) => {
    const channel = channels.get(row.channel_id);
    if (!channel || !isInServer(channel)) return [];
    return [{ channel, override: toOverride(row), overrides: overrides.get(channel.id) ?? [] }];
  });
}

export async function upsertOverride(
  db: Db,
  channelId: string,
  { id, ...override }: Override,
): Promise<void> {
  await db
    .insertInto("channel_overrides")
    .values({ channel_id: channelId, target_id: id, ...override })
    .onConflict((conflict) => conflict.columns(["channel_id", "target_id"]).doUpdateSet(override))
    .execute();
}

export async function insertOverrides(
  db: Db,
  channelId: string,
  overrides: readonly Override[],
): Promise<void> {
  if (overrides.length === 0) return;
  const rows = overrides.map(({ id, ...each }) => ({ channel_id: channelId, target_id: id, ...each }));
  await db.insertInto("channel_overrides").values(rows).execute();
}

export async function deleteOverride(db: Db, channelId: string, targetId: string): Promise<void> {
  await db
    .deleteFrom("channel_overrides")
    .where("channel_id", "=", channelId)
    .where("target_id", "=", targetId)
    .execute();
}

export async function deleteOverridesOf(db: Db, channelId: string): Promise<void> {
  await db.deleteFrom("channel_overrides").where("channel_id", "=", channelId).execute();
}
