// One row a server: the number of its last event, and the version of its structure.
import type { Database, Db } from "../database/database.ts";
import { isListed } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";

declare module "../database/tables.ts" {
  interface Tables {
    streams: { server_id: string; seq: number; version: number };
  }
}

export async function openStream(db: Db, serverId: string): Promise<void> {
  await db.insertInto("streams").values({ server_id: serverId, seq: 0, version: 1 }).execute();
}

export async function closeStream(db: Db, serverId: string): Promise<void> {
  await db.deleteFrom("streams").where("server_id", "=", serverId).execute();
}

export async function lockStream(db: Db, serverId: string): Promise<void> {
  await db.selectFrom("streams").select("seq").where("server_id", "=", serverId).forUpdate().execute();
}

/** The same, but throws at once while somebody else has it. */
export async function lockStreamNow({ locksRows }: Database, db: Db, serverId: string): Promise<void> {
  await db
    .selectFrom("streams")
    .select("seq")
    .where("server_id", "=", serverId)
    .$if(locksRows, (query) => query.forUpdate().noWait())
    .execute();
}

export async function streamVersion(db: Db, serverId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("streams")
    .select("version")
    .where("server_id", "=", serverId)
    .executeTakeFirst();
  return row?.version;
}

const headsOfStreams = prepared<{ serverIds: string }, { server_id: string; seq: number }>((db, value) =>
  db
    .selectFrom("streams")
    .select(["server_id", "seq"])
    .where(isListed(db, "streams.server_id", value("serverIds"))),
);

/** By server: the number of its last event, 0 before the first. */
export async function streamHeads(db: Db, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await headsOfStreams(db, { serverIds: JSON.stringify(serverIds) });
  return new Map(rows.map(({ server_id, seq }) => [server_id, seq]));
}

type Step = { serverId: string; count: number; bump: number };

/** Takes the next `count` numbers, and raises the version by `bump`; no rows where the server is gone. */
export const advanceStream = prepared<Step, { seq: number; version: number }>((db, value) =>
  db
    .updateTable("streams")
    .set((eb) => ({ seq: eb("seq", "+", value("count")), version: eb("version", "+", value("bump")) }))
    .where("server_id", "=", value("serverId"))
    .returning(["seq", "version"]),
);

/** A query for the streams that have had more than so many events. */
export function streamsLongerThan(db: Db, count: number) {
  return db.selectFrom("streams").select(["server_id", "seq"]).where("seq", ">", count);
}
