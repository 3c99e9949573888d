// The table of bans.
import type { Db } from "../../server/database/database.ts";
import type { Tables } from "../../server/database/tables.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    bans: { server_id: string; user_id: string; reason: string | null; created_at: number };
  }
}

export type BansTable = Tables["bans"];

export function selectBan(db: Db, serverId: string, userId: string): Promise<BansTable | undefined> {
  return db
    .selectFrom("bans")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function upsertBan(
  db: Db,
  serverId: string,
  userId: string,
  reason: string | null,
): Promise<void> {
  await db
    .insertInto("bans")
    .values({ server_id: serverId, user_id: userId, reason, created_at: Date.now() })
    .onConflict((conflict) => conflict.columns(["server_id", "user_id"]).doUpdateSet({ reason }))
    .execute();
}

export async function deleteBan(db: Db, serverId: string, userId: string): Promise<void> {
  await db.deleteFrom("bans").where("server_id", "=", serverId).where("user_id", "=", userId).execute();
}

/** Returns bans after the given one, oldest first. */
export function selectBans(
  db: Db,
  serverId: string,
  after: Pick<BansTable, "created_at" | "user_id"> | undefined,
  limit: number,
): Promise<BansTable[]> {
  return db
    .selectFrom("bans")
    .selectAll()
    .where("server_id", "=", serverId)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("created_at", "user_id"), ">", eb.tuple(after?.created_at ?? 0, after?.user_id ?? "")),
      ),
    )
    .orderBy("created_at")
    .orderBy("user_id")
    .limit(limit)
    .execute();
}
