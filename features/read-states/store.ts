// The marker table: the last message that each person has read in each channel.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listedRows } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import { mentionsMigration } from "./mentions.ts";

interface ReadMarkersTable {
  user_id: string;
  channel_id: string;
  /** Null for a channel outside of servers. */
  server_id: string | null;
  /** The lowest possible id where nothing is read. */
  last_read_id: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    read_markers: ReadMarkersTable;
  }
}

export function readStateMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0042_read_markers": {
      async up(db) {
        await db.schema
          .createTable("read_markers")
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("channel_id", type.uuid, (c) => c.notNull())
          .addColumn("server_id", type.uuid)
          .addColumn("last_read_id", type.uuid, (c) => c.notNull())
          .addPrimaryKeyConstraint("read_markers_pk", ["user_id", "channel_id"])
          // Stores a person's markers next to each other, so that READY reads thousands of them in one range.
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await db.schema
          .createIndex("read_markers_channel")
          .on("read_markers")
          .columns(["channel_id", "user_id"])
          .execute();
      },
    },
    "0043_mentions": mentionsMigration(engine),
  };
}

type MarkerKey = Pick<ReadMarkersTable, "user_id" | "channel_id">;
type Marker = Pick<ReadMarkersTable, "user_id" | "channel_id" | "last_read_id">;
type OwnMarker = Omit<Marker, "user_id">;

const ofUser = prepared<{ userId: string; serverIds: string }, OwnMarker>((db, value) =>
  db
    .selectFrom("read_markers")
    .select(["channel_id", "last_read_id"])
    .where("user_id", "=", value("userId"))
    .where(isListed(db, "server_id", value("serverIds"))),
);

/** Returns a person's markers in these servers. */
export function selectMarkersOf(db: Db, userId: string, serverIds: readonly string[]): Promise<OwnMarker[]> {
  return ofUser(db, { userId, serverIds: JSON.stringify(serverIds) });
}

const ofKeys = prepared<{ keys: string }, Marker>((db, value) =>
  db
    .selectFrom(listedRows<MarkerKey>(db, value("keys"), { user_id: "uuid", channel_id: "uuid" }).as("asked"))
    .innerJoin("read_markers", (join) =>
      join
        .onRef("read_markers.user_id", "=", "asked.user_id")
        .onRef("read_markers.channel_id", "=", "asked.channel_id"),
    )
    .select(["read_markers.user_id", "read_markers.channel_id", "read_markers.last_read_id"]),
);

/** Returns the stored rows of these keys. */
export function selectMarkers(db: Db, keys: readonly MarkerKey[]): Promise<Marker[]> {
  const asked = keys.map(({ user_id, channel_id }) => ({ user_id, channel_id }));
  return ofKeys(db, { keys: JSON.stringify(asked) });
}

const columns = { user_id: "uuid", channel_id: "uuid", server_id: "uuid", last_read_id: "uuid" } as const;

const upsertListed = prepared<{ rows: string }, never>((db, value) =>
  db
    .insertInto("read_markers")
    .columns(["user_id", "channel_id", "server_id", "last_read_id"])
    .expression((eb) =>
      eb
        .selectFrom(listedRows<ReadMarkersTable>(db, value("rows"), columns).as("given"))
        .select(["given.user_id", "given.channel_id", "given.server_id", "given.last_read_id"])
        // Without a condition SQLite would parse the following `on conflict` as a part of the select.
        .where((where) => where.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(["user_id", "channel_id"]).doUpdateSet((eb) => ({
        last_read_id: eb.ref("excluded.last_read_id"),
      })),
    ),
);

export async function upsertMarkers(db: Db, rows: readonly ReadMarkersTable[]): Promise<void> {
  if (rows.length > 0) await upsertListed(db, { rows: JSON.stringify(rows) });
}

export async function deleteMarker(db: Db, userId: string, channelId: string): Promise<void> {
  await db
    .deleteFrom("read_markers")
    .where("user_id", "=", userId)
    .where("channel_id", "=", channelId)
    .execute();
}

/** Deletes a person's markers in a server. */
export async function deleteMarkers(db: Db, userId: string, serverId: string): Promise<void> {
  await db
    .deleteFrom("read_markers")
    .where("user_id", "=", userId)
    .where("server_id", "=", serverId)
    .execute();
}
