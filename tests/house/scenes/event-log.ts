// Cuts off the log of the house under test as its own job does, whatever the age of the rows.
import { noteCut } from "../../../server/house/streams.ts";
import type { StreamKey } from "../../../server/place.ts";
import type { TestHouse } from "../open/engines.ts";

export async function cutLog(house: TestHouse, stream: StreamKey, upTo: number): Promise<void> {
  await house.running.house.database.transaction(async (db) => {
    await db.deleteFrom("events").where("stream", "=", stream).where("seq", "<=", upTo).execute();
    await noteCut(db, stream, upTo);
  });
}
