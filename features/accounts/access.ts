// People as others may see them; what other features ask about a person.
import { createHash } from "node:crypto";
import type { House } from "../../server/house.ts";
import type { Unit } from "../../server/unit.ts";
import type { Author, Me, User } from "./contract.ts";
import { shownPresence } from "./online.ts";
import { fold, selectIdByUsername, selectUser, selectUsers, type UsersTable } from "./store.ts";

export { everybodyHere, isHere, setHere, shownPresence } from "./online.ts";
export type { ChosenPresence } from "./store.ts";
export { claimInstance, fold, insertPerson, selectByLogin, selectUser, updateUser } from "./store.ts";

/** A person for everybody who may see them: nothing private passes through here. */
export function toUser(house: House, row: UsersTable): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    bio: row.bio,
    accent_color: row.accent_color,
    status_text: row.status_text,
    avatar: row.avatar,
    presence: shownPresence(house, row.id),
    bot: row.is_bot === 1,
    badges: [],
    created_at: new Date(row.created_at).toISOString(),
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
      avatar: row.avatar,
      kind: row.is_bot === 1 ? "bot" : "user",
    };
  });
}

/** The id behind a username, whatever its case; accounts keep their names, so only hits are worth remembering. */
export async function idOfUsername(unit: Unit, username: string): Promise<string | undefined> {
  const cache = unit.house.cache<string | undefined>("usernames", authorsRemembered);
  const key = fold(username);
  const id = await cache.get(key, () => selectIdByUsername(unit.house.database.read, key));
  if (id === undefined) cache.drop(key);
  return id;
}

/** The address of the picture that the avatar service draws for an e-mail address; null when that is turned off. */
export function avatarFor(house: House, email: string): string | null {
  const { avatarUrl } = house.config;
  if (!avatarUrl) return null;
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `${avatarUrl.replace(/\/*$/, "/")}${hash}?d=identicon`;
}
