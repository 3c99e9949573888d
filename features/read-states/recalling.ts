// Restores markers after a crash: people have read up to their own last messages, whose markers may be lost.

import { lowestIdAt } from "../../protocol/ids.ts";
import { Damaged } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import { madeAt } from "../../server/tokens.ts";
import { selectHighest, selectWrittenSince } from "../messages/access.ts";
import { keyOf, type ReadSoFar } from "./counting.ts";
import { selectMarkers, upsertMarkers } from "./store.ts";

/** Longer than markers are collected, plus the delays of a busy machine, in milliseconds. */
const lastMomentsMs = 3000;
/** The most messages read; a single machine writes fewer in this time. */
const mostRecalled = 50_000;

/**
 * Stores markers at the messages of the last moments, where their authors' markers are behind. A database that is
 * damaged there does not prevent the start.
 */
export async function recallWritten(house: House): Promise<void> {
  try {
    await recall(house);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    house.log.error({ err: error }, "what was written last cannot be read");
  }
}

async function recall(house: House): Promise<void> {
  const { read } = house.database;
  const highest = await selectHighest(read);
  if (highest === undefined) return;
  const since = lowestIdAt(madeAt(highest) - lastMomentsMs);
  const latest = new Map<string, ReadSoFar>();
  for (const { id, channel_id, server_id, author_id } of await selectWrittenSince(
    read,
    since,
    mostRecalled,
  )) {
    const marker = { userId: author_id, serverId: server_id, channelId: channel_id, lastReadId: id };
    latest.set(keyOf(marker), marker);
  }
  const rows = [...latest.values()].map(({ userId, serverId, channelId, lastReadId }) => ({
    user_id: userId,
    server_id: serverId,
    channel_id: channelId,
    last_read_id: lastReadId,
  }));
  const stored = new Map(
    (await selectMarkers(read, rows)).map((row) => [`${row.user_id} ${row.channel_id}`, row.last_read_id]),
  );
  const missing = rows.filter(
    (row) => (stored.get(`${row.user_id} ${row.channel_id}`) ?? "") < row.last_read_id,
  );
  if (missing.length > 0) await house.database.transaction((db) => upsertMarkers(db, missing));
}
