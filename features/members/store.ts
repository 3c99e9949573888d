// The table of members, and the migrations of bans, whose rows are read and written in bans.ts.
import { type Migration, sql } from "kysely";
import { lowestIdAt } from "../../protocol/ids.ts";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed, listed, listedRows } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import { serverExists } from "../servers/access.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    members: {
      server_id: string;
      user_id: string;
      joined_at: number;
      /** An id for the moment of joining: not below any earlier message, and below all later ones. */
      joined_id: string;
    };
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
    // Existing members count as having read all earlier messages.
    "0041_joined_ids": {
      async up(db) {
        const { rows } = await sql<{ id: string }>`select id from messages order by id desc limit 1`.execute(
          db,
        );
        const now = lowestIdAt(Date.now());
        const highest = rows[0]?.id ?? now;
        await db.schema
          .alterTable("members")
          .addColumn("joined_id", type.uuid, (c) => c.notNull().defaultTo(highest > now ? highest : now))
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

/** Returns false when the person is a member already. */
export async function insertMember(
  db: Db,
  serverId: string,
  userId: string,
  { joined_at, joined_id }: { joined_at: number; joined_id: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("members")
    .values({ server_id: serverId, user_id: userId, joined_at, joined_id })
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

// A server that was just deleted may still have rows, but counts as having no members.

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

const joinedByUser = prepared<{ userId: string }, { server_id: string; joined_at: number }>((db, value) =>
  db
    .selectFrom("members")
    .select(["server_id", "joined_at"])
    .where("user_id", "=", value("userId"))
    .where(serverExists(db, "members.server_id"))
    .orderBy("joined_at")
    .orderBy("server_id"),
);

/** Returns a person's servers with the time of joining, the earliest first. */
export function selectJoined(db: Db, userId: string): Promise<{ server_id: string; joined_at: number }[]> {
  return joinedByUser(db, { userId });
}

const serversOfUsers = prepared<{ userIds: string }, MemberKey>((db, value) =>
  db
    .selectFrom("members")
    .select(["server_id", "user_id"])
    .where(isListed(db, "user_id", value("userIds")))
    .where(serverExists(db, "members.server_id")),
);

/** Returns the servers of each of these people, by user id. */
export async function selectServersOfEach(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await serversOfUsers(db, { userIds: JSON.stringify(userIds) });
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([id, mine]) => [id, mine.map(({ server_id }) => server_id)]));
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

/** Returns the memberships of these people in these servers. */
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

/** Returns those of these pairs of server and person that are memberships. */
export async function selectMembersOf(db: Db, pairs: readonly MemberKey[]): Promise<MemberKey[]> {
  return pairs.length === 0 ? [] : membersOfPairs(db, { pairs: JSON.stringify(pairs) });
}

type Joined = MemberKey & { joined_id: string };

function joinedOfPairs(db: Db, pairs: string) {
  return db
    .selectFrom(listedRows<MemberKey>(db, pairs, { server_id: "uuid", user_id: "uuid" }).as("asked"))
    .innerJoin("members", (join) =>
      join.onRef("members.server_id", "=", "asked.server_id").onRef("members.user_id", "=", "asked.user_id"),
    )
    .select(["members.server_id", "members.user_id", "members.joined_id"]);
}

const joinedIds = prepared<{ pairs: string }, Joined>((db, value) => joinedOfPairs(db, value("pairs")));
const joinedIdsLocked = prepared<{ pairs: string }, Joined>((db, value) =>
  joinedOfPairs(db, value("pairs")).forKeyShare(["members"]),
);

/**
 * Returns the ids of the moment of joining, for those of these pairs of server and person that are memberships.
 * `locked`: they stay members until the transaction ends.
 */
export async function selectJoinedIds(
  db: Db,
  pairs: readonly MemberKey[],
  locked: boolean,
): Promise<Joined[]> {
  const select = locked ? joinedIdsLocked : joinedIds;
  return pairs.length === 0 ? [] : select(db, { pairs: JSON.stringify(pairs) });
}

const near = prepared<{ userId: string; otherIds: string }, { id: string }>((db, value) =>
  db
    .selectFrom(listed(db, value("otherIds")).as("asked"))
    .select("asked.id")
    // Evaluated per person, up to the first shared server. A cross join keeps SQLite to this order: most people are in
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

/** Returns those of these people who share a server with this person. */
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

/** Returns those of these people who are members of the server, with the time of joining. */
export async function selectMembersAmong(db: Db, serverId: string, userIds: readonly string[]) {
  return userIds.length === 0 ? [] : thoseAmong(db, { serverId, userIds: JSON.stringify(userIds) });
}

/** Like `selectMembersAmong`, only the ids. */
export async function membersAmong(db: Db, serverId: string, userIds: readonly string[]): Promise<string[]> {
  return (await selectMembersAmong(db, serverId, userIds)).map((row) => row.user_id);
}
