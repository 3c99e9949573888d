// Facts about this instance, kept with the data: some are decided once, by whoever comes first, others change.
import type { Db } from "./database.ts";

declare module "./tables.ts" {
  interface Tables {
    instance: { key: string; value: string };
  }
}

/** Keeps `value` under `key` unless there is one already. Answers what is kept. */
export async function decideOnce(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto("instance")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const row = await db
    .selectFrom("instance")
    .select("value")
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  return row.value;
}

export async function isDecided(db: Db, key: string): Promise<boolean> {
  return (await kept(db, key)) !== undefined;
}

/** Keeps `value` under `key`, whatever was there. */
export async function keep(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto("instance")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

export async function kept(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom("instance").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

/** Writes something in the transaction `db` that nobody gets to see. */
export async function tryToKeep(db: Db, value: string): Promise<void> {
  const key = "trial";
  await db.insertInto("instance").values({ key, value }).execute();
  await db.deleteFrom("instance").where("key", "=", key).execute();
}

/** The next start decides it anew: whoever followed the log so far cannot take up from there. */
export const forgetEpoch = "delete from instance where key = 'epoch'";
