// People as others may see them; what other features ask about a person.

import { createHash } from "node:crypto";
import { timeText } from "../../protocol/clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import type { Soon } from "../../server/house/known.ts";
import type { Unit } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { type Author, type Badge, type Me, meUpdated, type User, userUpdated } from "./contract.ts";
import { shownPresence } from "./online.ts";
import {
  type ChosenPresence,
  claimInstance,
  fold,
  insertBot,
  insertPerson,
  type NewBot,
  type NewPerson,
  selectIdsByUsername,
  selectUser,
  selectUserForUpdate,
  selectUsers,
  type UsersTable,
  updateUser,
} from "./store.ts";

export { isConnected, setConnected, setDisconnected, setDoNotDisturb, shownPresence } from "./online.ts";
export type { ChosenPresence } from "./store.ts";
export {
  fold,
  hasOwner,
  selectByLogin,
  selectByUsername,
  selectPeople,
  selectStatusTexts,
  selectUser,
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
export function authorOf(unit: Unit, userId: string): Soon<Author> {
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

/**
 * A new account, whose name is somebody's from this commit on; the first ever becomes the instance's owner. Returns
 * whether this is it. Throws conflict (409) when the name or the address is taken.
 */
export async function addPerson(unit: Unit, person: NewPerson): Promise<boolean> {
  if (!(await insertPerson(unit.db, person))) {
    throw new Refusal("conflict", "That username or e-mail address is taken.");
  }
  unit.drop("usernames", fold(person.username));
  return claimInstance(unit.db, person.id);
}

/** The account of a new bot. False when the name is taken. */
export async function addBot(unit: Unit, bot: NewBot): Promise<boolean> {
  if (!(await insertBot(unit.db, bot))) return false;
  unit.drop("usernames", fold(bot.username));
  return true;
}

type Profile = Pick<UsersTable, "display_name" | "bio" | "accent_color" | "status_text">;

/** What people say of themselves, and the name of a bot. The account is locked; returns it as it is afterwards. */
export function changeProfile(
  unit: Unit,
  before: UsersTable,
  changes: Partial<Profile>,
): Promise<UsersTable> {
  return changeMe(unit, before, changes);
}

/** The badges that everybody sees at a person. The account is locked. */
export async function setBadges(unit: Unit, before: UsersTable, badges: readonly Badge[]): Promise<void> {
  await changeMe(unit, before, { badges: JSON.stringify(badges) });
}

/** What the person may do in the instance. The account is locked. */
export async function setInstanceRole(
  unit: Unit,
  before: UsersTable,
  role: Exclude<UsersTable["instance_role"], "owner">,
): Promise<void> {
  await changeMe(unit, before, { instance_role: role });
}

/**
 * The one way in which an account changes in what `Me` says of it: whatever has to be forgotten, emitted and told then
 * belongs here. Where nothing is different, nothing happens.
 */
async function changeMe(
  unit: Unit,
  before: UsersTable,
  changes: Partial<Profile & Pick<UsersTable, "badges" | "instance_role">>,
): Promise<UsersTable> {
  const after = { ...before, ...changes };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  await updateUser(unit.db, before.id, changes);
  unit.emit(meUpdated, personPlace(after.id), toMe(unit.house, after));
  const profile = toUser(unit.house, after);
  if (JSON.stringify(profile) !== JSON.stringify(toUser(unit.house, before))) {
    await tellProfile(unit, profile);
  }
  return after;
}

/** Tells everybody who shares a server how the profile looks now; what was remembered of it is forgotten. */
async function tellProfile(unit: Unit, profile: User): Promise<void> {
  unit.drop("authors", profile.id);
  unit.drop("pages", "*");
  const serverIds = await unit.house.rights.serversOf(unit, profile.id);
  unit.tellRound(userUpdated, profile.id, serverIds, profile);
}

/** How the person wishes to be seen from now on; others see it once `setConnected` has it. */
export async function choosePresence(unit: Unit, userId: string, presence: ChosenPresence): Promise<void> {
  await updateUser(unit.db, userId, { presence });
}

/** A new password, as its hash. Nothing else ends with the old one here: sessions are ended by whoever sets it. */
export async function setPasswordHash(unit: Unit, userId: string, hash: string): Promise<void> {
  await updateUser(unit.db, userId, { password_hash: hash });
}

/** No way of signing in leads into the account any more. Sessions and tokens that are open are ended by the caller. */
export async function disableAccount(unit: Unit, userId: string): Promise<void> {
  await updateUser(unit.db, userId, { disabled_at: Date.now() });
}

export async function enableAccount(unit: Unit, userId: string): Promise<void> {
  await updateUser(unit.db, userId, { disabled_at: null });
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
