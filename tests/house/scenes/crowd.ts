// Crowds in tests: more people than could each make calls, inserted straight into the database.
import type { TableName } from "../../../server/database/database.ts";
import type { Tables } from "../../../server/database/tables.ts";
import { newId } from "../../../server/tokens.ts";
import type { TestHouse } from "../open/engines.ts";
import type { TestPerson } from "../people/people.ts";

/** Inserts complete rows into one table. */
export async function fill<T extends TableName>(
  { running }: TestHouse,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  const { database } = running.house;
  await database.transaction(async (db) => {
    for (let start = 0; start < rows.length; start += 2000) {
      const piece: readonly object[] = rows.slice(start, start + 2000);
      await database.insertRows(db, table, piece as Parameters<typeof database.insertRows>[2], false);
    }
  });
}

/** Makes accounts like this person's, with ids in rising order; nobody can sign in to them. */
export async function crowd(house: TestHouse, like: TestPerson, count: number): Promise<string[]> {
  const { read } = house.running.house.database;
  const row = await read.selectFrom("users").selectAll().where("id", "=", like.id).executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7()).sort();
  await fill(
    house,
    "users",
    ids.map((id) => ({
      ...row,
      id,
      username: id,
      username_key: id,
      email: null,
      email_key: null,
      password_hash: null,
      instance_role: "member",
    })),
  );
  return ids;
}

/** Lets all of them react to the message with the same emoji, one after the other. */
export async function react(
  house: TestHouse,
  messageId: string,
  emoji: string,
  ids: readonly string[],
): Promise<void> {
  const first_at = Date.now();
  const rows = ids.map((user_id, i) => ({ message_id: messageId, emoji, user_id, created_at: first_at + i }));
  await fill(house, "reactions", rows);
  await fill(house, "reaction_counts", [{ message_id: messageId, emoji, count: ids.length, first_at }]);
}

/** Makes all of them members, with the role if one is given. */
export async function comeIn(
  house: TestHouse,
  serverId: string,
  ids: readonly string[],
  roleId?: string,
): Promise<void> {
  await fill(
    house,
    "members",
    ids.map((user_id) => ({ server_id: serverId, user_id, joined_at: Date.now(), joined_id: newId() })),
  );
  if (roleId === undefined) return;
  await fill(
    house,
    "member_roles",
    ids.map((user_id) => ({ server_id: serverId, user_id, role_id: roleId })),
  );
}
