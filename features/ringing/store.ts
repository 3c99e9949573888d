// The table of rings: a row for each person whom a call rings for, as long as it rings for one of them.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface RingsTable {
  channel_id: string;
  user_id: string;
  /** Identifies the call among those of all conversations. */
  call_id: string;
  caller_id: string;
  until: number;
  /** `unheard`: the person blocks the caller, and none of their devices rings. */
  state: "ringing" | "unheard" | "answered" | "declined" | "ended";
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    rings: RingsTable;
  }
}

export function ringingMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0092_rings": expanding({
      async up(db) {
        await db.schema
          .createTable("rings")
          .addColumn("channel_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("call_id", type.uuid, (c) => c.notNull())
          .addColumn("caller_id", type.uuid, (c) => c.notNull())
          .addColumn("until", type.integer, (c) => c.notNull())
          .addColumn("state", type.text, (c) => c.notNull())
          .addPrimaryKeyConstraint("rings_pk", ["channel_id", "user_id"])
          .execute();
        await db.schema.createIndex("rings_until").on("rings").column("until").execute();
        await db.schema.createIndex("rings_call").on("rings").column("call_id").execute();
      },
    }),
  };
}

export async function insertRings(db: Db, rows: readonly RingsTable[]): Promise<void> {
  await db.insertInto("rings").values(rows).execute();
}

const inChannels = prepared<{ ids: string }, RingsTable>((db, value) =>
  db
    .selectFrom("rings")
    .selectAll()
    .where(isListed(db, "channel_id", value("ids"))),
);

/** Returns the rings of the calls in these conversations. */
export function selectRings(db: Db, channelIds: readonly string[]): Promise<RingsTable[]> {
  return inChannels(db, { ids: JSON.stringify(channelIds) });
}

export function selectRingsOfCall(db: Db, callId: string): Promise<RingsTable[]> {
  return db.selectFrom("rings").selectAll().where("call_id", "=", callId).execute();
}

const outside = prepared<{ now: number; latest: number }, { channel_id: string }>((db, value) =>
  db
    .selectFrom("rings")
    .select("channel_id")
    .distinct()
    .where((eb) => eb.or([eb("until", "<=", value("now")), eb("until", ">", value("latest"))])),
);

/** Returns the conversations with a call that ends by `now`, or after `latest`. */
export async function selectOutside(db: Db, now: number, latest: number): Promise<string[]> {
  return (await outside(db, { now, latest })).map(({ channel_id }) => channel_id);
}

export async function updateRing(
  db: Db,
  { channel_id, user_id }: RingsTable,
  state: RingsTable["state"],
): Promise<void> {
  await db
    .updateTable("rings")
    .set({ state })
    .where("channel_id", "=", channel_id)
    .where("user_id", "=", user_id)
    .execute();
}

export async function deleteRings(db: Db, channelId: string): Promise<void> {
  await db.deleteFrom("rings").where("channel_id", "=", channelId).execute();
}
