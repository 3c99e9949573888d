// Facts about this instance, kept in the database: some are decided once, others change.
import type { Db } from "./database.ts";

declare module "./tables.ts" {
  interface Tables {
    instance: { key: string; value: string };
  }
}

/** Keeps `value` under `key` unless a value is kept there. Returns the value that is kept. */
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

/** Keeps `value` under `key`, replacing any earlier value. */
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

/** Removes the value under `key`, if there is one. */
export async function forget(db: Db, key: string): Promise<void> {
  await db.deleteFrom("instance").where("key", "=", key).execute();
}

/** Writes a value that is never read, in the transaction `db`: tests whether writes succeed. */
export async function tryToKeep(db: Db, value: string): Promise<void> {
  const key = "trial";
  await db.insertInto("instance").values({ key, value }).execute();
  await db.deleteFrom("instance").where("key", "=", key).execute();
}

/** Makes the next start decide a new epoch, so that clients cannot resume in this log. */
export const forgetEpoch = "delete from instance where key = 'epoch'";
