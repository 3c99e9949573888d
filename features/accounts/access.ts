// People as others may see them; what other features ask about a person.

import { createHash } from "node:crypto";
import { timeText } from "../../protocol/clock.ts";
import type { House } from "../../server/house/house.ts";
import type { Unit } from "../../server/house/unit.ts";
import { type Author, type Me, type User, userUpdated } from "./contract.ts";
import { shownPresence } from "./online.ts";
import {
  fold,
  selectIdsByUsername,
  selectUser,
  selectUserForUpdate,
  selectUsers,
  type UsersTable,
} from "./store.ts";

export { isHere, setHere, setUndisturbed, shownPresence } from "./online.ts";
export type { ChosenPresence } from "./store.ts";
export {
  claimInstance,
  fold,
  hasOwner,
  insertBot,
  insertPerson,
  selectByLogin,
  selectByUsername,
  selectPeople,
  selectStatusTexts,
  selectUser,
  updateUser,
} from "./store.ts";

/** Nobody else changes what hangs on this person until the unit commits. */
export function lockUser(unit: Unit, id: string): Promise<UsersTable | undefined> {
  return unit.locksRows ? selectUserForUpdate(unit.db, id) : selectUser(unit.db, id);
}

/** A person for everybody who may see them: nothing private passes through here. */
export function toUser(house: House, row: UsersTable): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    bio: row.bio,
    accent_color: row.accent_color,
    status_text: row.status_text,
    avatar: avatarOf(house, row),
    presence: shownPresence(house, row.id),
    bot: row.is_bot === 1,
    badges: JSON.parse(row.badges),
    created_at: timeText(row.created_at),
  };
}

export function toMe(house: House, row: UsersTable): Me {
  return { ...toUser(house, row), email: row.email ?? "", instance_role: row.instance_role };
}

export async function usersById(unit: Unit, ids: readonly string[]): Promise<Map<string, User>> {
  const rows = await selectUsers(unit.db, ids);
  return new Map(rows.map((row) => [row.id, toUser(unit.house, row)]));
}

const authorsRemembered = 20_000;

/** Who wrote, for the line above a message; remembered until their profile changes. */
export async function authorOf(unit: Unit, userId: string): Promise<Author> {
  const cache = unit.house.cache<Author>("authors", authorsRemembered);
  return cache.get(userId, async () => {
    const row = await selectUser(unit.house.database.read, userId);
    if (!row) throw new Error("an author has no account");
    return {
      id: row.id,
      username: row.username,
      display_name: row.display_name,
      avatar: avatarOf(unit.house, row),
      kind: row.is_bot === 1 ? "bot" : "user",
    };
  });
}

/** By username as given: the ids of those that exist, whatever their case. Names that nobody has are remembered too. */
export async function idsOfUsernames(unit: Unit, usernames: readonly string[]): Promise<Map<string, string>> {
  const cache = unit.house.cache<string | null>("usernames", authorsRemembered);
  const unknown = [...new Set(usernames.map(fold))].filter((key) => cache.peek(key) === undefined);
  const { drops } = cache;
  const found = unknown.length > 0 ? await selectIdsByUsername(unit.house.database.read, unknown) : new Map();
  if (cache.drops === drops) for (const key of unknown) cache.put(key, found.get(key) ?? null);
  const ids = new Map<string, string>();
  for (const username of usernames) {
    const id = cache.peek(fold(username)) ?? found.get(fold(username));
    if (id) ids.set(username, id);
  }
  return ids;
}

/** Tells everybody who shares a server how the profile looks now; what was remembered of it is forgotten. */
export async function tellProfile(unit: Unit, after: UsersTable): Promise<void> {
  unit.drop("authors", after.id);
  unit.drop("pages", "*");
  const serverIds = await unit.house.rights.serversOf(unit, after.id);
  unit.tellRound(userUpdated, after.id, serverIds, toUser(unit.house, after));
}

/** The name is somebody's from this commit on. */
export function claimUsername(unit: Unit, username: string): void {
  unit.drop("usernames", fold(username));
}

/** The address of the picture that the avatar service draws for an e-mail address; null when that is turned off. */
export function avatarFor(house: House, email: string): string | null {
  const { avatarUrl } = house.config;
  if (!avatarUrl) return null;
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `${avatarUrl.replace(/\/*$/, "/")}${hash}?d=identicon`;
}

/** What was drawn before the avatar service was turned off is not shown any more. */
export function avatarOf(house: House, row: { avatar: string | null }): string | null {
  return house.config.avatarUrl ? row.avatar : null;
}
