// The table of recent webhook events of the media service, so that each is processed once.
import type { Db } from "../../server/database/database.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    voice_webhooks: { id: string; received_at: number };
  }
}

/** Returns false if this event was stored before. */
export async function insertWebhook(db: Db, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("voice_webhooks")
    .values({ id, received_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteWebhooksBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom("voice_webhooks").where("received_at", "<", time).execute();
}
