// The table of people in voice rooms, and the migrations of all tables of voice; webhook events are in heard.ts.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface VoiceParticipantsTable {
  channel_id: string;
  user_id: string;
  /** Null in the room of a conversation. */
  server_id: string | null;
  /** The media service's id of this connection; each connection has its own. */
  sid: string;
  muted: number;
  deafened: number;
  joined_at: number;
  /** The permission bits that the media service lets the person publish by; null if its permission matches no bits. */
  publishes: number | null;
  /** The session that requested the token, if known: when it ends, the person is removed from the room. */
  session_id: string | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    voice_participants: VoiceParticipantsTable;
  }
}

/** No foreign keys: a person in the room of a deleted channel stays in the table until they have left. */
export function voiceMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0022_voice": {
      async up(db) {
        await db.schema
          .createTable("voice_participants")
          .addColumn("channel_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("sid", type.text, (c) => c.notNull())
          .addColumn("muted", type.integer, (c) => c.notNull())
          .addColumn("deafened", type.integer, (c) => c.notNull())
          .addColumn("joined_at", type.integer, (c) => c.notNull())
          .addColumn("publishes", type.integer)
          .addColumn("session_id", type.text)
          .addPrimaryKeyConstraint("voice_participants_pk", ["channel_id", "user_id"])
          .execute();
        await db.schema
          .createIndex("voice_participants_server")
          .on("voice_participants")
          .column("server_id")
          .execute();
        await db.schema
          .createTable("voice_webhooks")
          .addColumn("id", type.text, (c) => c.primaryKey().notNull())
          .addColumn("received_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createIndex("voice_webhooks_received")
          .on("voice_webhooks")
          .column("received_at")
          .execute();
      },
    },
    "0091_voice_in_conversations": expanding({
      async up(db) {
        await sql`alter table voice_participants alter column server_id drop not null`.execute(db);
      },
    }),
  };
}

export function selectParticipant(
  db: Db,
  channelId: string,
  userId: string,
): Promise<VoiceParticipantsTable | undefined> {
  return db
    .selectFrom("voice_participants")
    .selectAll()
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Returns the people in a room, in the order of arrival. */
export function selectRoom(db: Db, channelId: string): Promise<VoiceParticipantsTable[]> {
  return selectInRooms(db, [channelId]);
}

const inRooms = prepared<{ channelIds: string }, VoiceParticipantsTable>((db, value) =>
  db
    .selectFrom("voice_participants")
    .selectAll()
    .where(isListed(db, "channel_id", value("channelIds")))
    .orderBy("joined_at")
    .orderBy("user_id"),
);

/** Returns the people in these rooms. */
export function selectInRooms(db: Db, channelIds: readonly string[]): Promise<VoiceParticipantsTable[]> {
  return inRooms(db, { channelIds: JSON.stringify(channelIds) });
}

const inServers = prepared<{ serverIds: string }, VoiceParticipantsTable>((db, value) =>
  db
    .selectFrom("voice_participants")
    .selectAll()
    .where(isListed(db, "server_id", value("serverIds")))
    .orderBy("joined_at")
    .orderBy("user_id"),
);

/** Returns the people in the rooms of these servers. */
export function selectInServers(db: Db, serverIds: readonly string[]): Promise<VoiceParticipantsTable[]> {
  return inServers(db, { serverIds: JSON.stringify(serverIds) });
}

export async function selectBySessions(
  db: Db,
  userId: string,
  sessionIds: readonly string[],
): Promise<VoiceParticipantsTable[]> {
  if (sessionIds.length === 0) return [];
  return db
    .selectFrom("voice_participants")
    .selectAll()
    .where("user_id", "=", userId)
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** Returns the occupied rooms and their servers. */
export function selectOccupied(db: Db): Promise<Pick<VoiceParticipantsTable, "channel_id" | "server_id">[]> {
  return db.selectFrom("voice_participants").select(["channel_id", "server_id"]).distinct().execute();
}

export async function insertParticipant(db: Db, row: VoiceParticipantsTable): Promise<void> {
  await db.insertInto("voice_participants").values(row).execute();
}

export async function updateParticipant(
  db: Db,
  { channel_id, user_id }: VoiceParticipantsTable,
  changes: Partial<VoiceParticipantsTable>,
): Promise<void> {
  await db
    .updateTable("voice_participants")
    .set(changes)
    .where("channel_id", "=", channel_id)
    .where("user_id", "=", user_id)
    .execute();
}

/** Returns false if that connection was already gone. */
export async function deleteParticipant(
  db: Db,
  { channel_id, user_id, sid }: Pick<VoiceParticipantsTable, "channel_id" | "user_id" | "sid">,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("voice_participants")
    .where("channel_id", "=", channel_id)
    .where("user_id", "=", user_id)
    .where("sid", "=", sid)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
