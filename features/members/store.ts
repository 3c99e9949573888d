// The tables of members and bans.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listed, listedRows } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { Tables } from "../../server/database/tables.ts";
import { serverExists } from "../servers/access.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    members: { server_id: string; user_id: string; joined_at: number };
    bans: { server_id: string; user_id: string; reason: string | null; created_at: number };
  }
}

export function memberMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0004_members": {
      async up(db) {
        await db.schema
          .createTable("members")
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("joined_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("members_pk", ["server_id", "user_id"])
          .execute();
        await db.schema.createIndex("members_user").on("members").columns(["user_id", "server_id"]).execute();
        await db.schema
          .createTable("bans")
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("reason", type.text)
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("bans_pk", ["server_id", "user_id"])
          .execute();
      },
    },
    "0030_bans_in_order": {
      async up(db) {
        await db.schema
          .createIndex("bans_in_order")
          .on("bans")
          .columns(["server_id", "created_at", "user_id"])
          .execute();
      },
    },
  };
}

type Pair = { serverId: string; userId: string };

const oneMember = prepared<Pair, { joined_at: number }>((db, value) =>
  db
    .selectFrom("members")
    .select("joined_at")
    .where("server_id", "=", value("serverId"))
    .where("user_id", "=", value("userId")),
);

export async function isMember(db: Db, serverId: string, userId: string): Promise<boolean> {
  return (await oneMember(db, { serverId, userId })).length > 0;
}

/** False when the person is a member already. */
export async function insertMember(
  db: Db,
  serverId: string,
  userId: string,
  joinedAt: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("members")
    .values({ server_id: serverId, user_id: userId, joined_at: joinedAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteMember(db: Db, serverId: string, userId: string): Promise<void> {
  await db.deleteFrom("members").where("server_id", "=", serverId).where("user_id", "=", userId).execute();
}

export function selectMembers(db: Db, serverId: string, after: string | undefined, limit: number) {
  return db
    .selectFrom("members")
    .select(["user_id", "joined_at"])
    .where("server_id", "=", serverId)
    .$if(after !== undefined, (query) => query.where("user_id", ">", after ?? ""))
    .orderBy("user_id")
    .limit(limit)
    .execute();
}

// A server deleted a moment ago may still have rows, but no members.

const serversOfUser = prepared<{ userId: string }, { server_id: string }>((db, value) =>
  db
    .selectFrom("members")
    .select("server_id")
    .where("user_id", "=", value("userId"))
    .where(serverExists(db, "members.server_id"))
    .orderBy("server_id"),
);

export async function selectServersOf(db: Db, userId: string): Promise<string[]> {
  return (await serversOfUser(db, { userId })).map((row) => row.server_id);
}

const countOfUser = prepared<{ userId: string }, { count: number }>((db, value) =>
  db
    .selectFrom("members")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", value("userId"))
    .where(serverExists(db, "members.server_id")),
);

export async function countServersOf(db: Db, userId: string): Promise<number> {
  return (await countOfUser(db, { userId }))[0]?.count ?? 0;
}

export type MemberKey = { server_id: string; user_id: string };

const memberships = prepared<{ serverIds: string; userIds: string }, MemberKey>((db, value) =>
  db
    .selectFrom("members")
    .select(["server_id", "user_id"])
    .where(isListed(db, "server_id", value("serverIds")))
    .where(isListed(db, "user_id", value("userIds"))),
);

/** The memberships of these people in these servers. */
export function selectMemberships(
  db: Db,
  serverIds: readonly string[],
  userIds: readonly string[],
): Promise<MemberKey[]> {
  return memberships(db, { serverIds: JSON.stringify(serverIds), userIds: JSON.stringify(userIds) });
}

const membersOfPairs = prepared<{ pairs: string }, MemberKey>((db, value) =>
  db
    .selectFrom(listedRows<MemberKey>(db, value("pairs"), { server_id: "uuid", user_id: "uuid" }).as("asked"))
    .innerJoin("members", (join) =>
      join.onRef("members.server_id", "=", "asked.server_id").onRef("members.user_id", "=", "asked.user_id"),
    )
    .select(["members.server_id", "members.user_id"]),
);

/** The pairs of server and person among these that are memberships. */
export async function selectMembersOf(db: Db, pairs: readonly MemberKey[]): Promise<MemberKey[]> {
  return pairs.length === 0 ? [] : membersOfPairs(db, { pairs: JSON.stringify(pairs) });
}

export async function sharesServer(db: Db, one: string, other: string): Promise<boolean> {
  const row = await db
    .selectFrom("members as mine")
    .innerJoin("members as theirs", "theirs.server_id", "mine.server_id")
    .select("mine.server_id")
    .where("mine.user_id", "=", one)
    .where("theirs.user_id", "=", other)
    .where(serverExists(db, "mine.server_id"))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const near = prepared<{ userId: string; otherIds: string }, { id: string }>((db, value) =>
  db
    .selectFrom(listed(db, value("otherIds")).as("asked"))
    .select("asked.id")
    // Goes person by person, up to the first shared server. A cross join keeps SQLite to this order: most people are in
    // few servers, while the person asking may be in hundreds.
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("members as theirs")
          .crossJoin("members as mine")
          .select("mine.server_id")
          .whereRef("theirs.user_id", "=", "asked.id")
          .whereRef("mine.server_id", "=", "theirs.server_id")
          .where("mine.user_id", "=", value("userId"))
          .where(serverExists(db, "mine.server_id")),
      ),
    ),
);

/** The people among these who share a server with this person. */
export async function sharersAmong(
  db: Db,
  userId: string,
  otherIds: readonly string[],
): Promise<Set<string>> {
  if (otherIds.length === 0) return new Set();
  const rows = await near(db, { userId, otherIds: JSON.stringify(otherIds) });
  return new Set(rows.map((row) => row.id));
}

const thoseAmong = prepared<{ serverId: string; userIds: string }, { user_id: string; joined_at: number }>(
  (db, value) =>
    db
      .selectFrom("members")
      .select(["members.user_id", "members.joined_at"])
      .where("members.server_id", "=", value("serverId"))
      .where("members.user_id", "in", (query) =>
        query.selectFrom(listed(db, value("userIds")).as("asked")).select("asked.id"),
      ),
);

/** The people among these who are members of the server, with the time of joining. */
export async function selectMembersAmong(db: Db, serverId: string, userIds: readonly string[]) {
  return userIds.length === 0 ? [] : thoseAmong(db, { serverId, userIds: JSON.stringify(userIds) });
}

/** The same, their ids alone. */
export async function membersAmong(db: Db, serverId: string, userIds: readonly string[]): Promise<string[]> {
  return (await selectMembersAmong(db, serverId, userIds)).map((row) => row.user_id);
}

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

export type BansTable = Tables["bans"];

/** Bans after the given one, oldest first. */
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
