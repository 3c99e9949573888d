// Accounts for other features: the public view of a person, lookups and changes.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import type { Soon } from "../../server/house/known.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace, personStream } from "../../server/place.ts";
import { avatarOf } from "./avatars.ts";
import { type Author, type Badge, type Me, meUpdated, type User, userUpdated } from "./contract.ts";
import { replaceNameWords } from "./name-words.ts";
import { presenceSoon, shownPresence } from "./online.ts";
import {
  type ChosenPresence,
  claimInstance,
  fold,
  hasOwner,
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

export { type NameWord, selectNamed, selectNamedAmong } from "./name-words.ts";
export { searchable } from "./names.ts";
export { doNotDisturb, isConnected, setSeen, shownPresence, wantedPresences } from "./online.ts";
export type { ChosenPresence, ListedPerson, NewPerson } from "./store.ts";
export {
  fold,
  selectByLogin,
  selectByUsername,
  selectPeople,
  selectPresences,
  selectStatusTexts,
  selectUser,
} from "./store.ts";

/**
 * Returns the account's row, locked when in a transaction: nobody else changes data that depends on it until the
 * commit.
 */
export function lockUser(unit: UnitOfWork, id: string): Promise<UsersTable | undefined> {
  return unit.locksRows ? selectUserForUpdate(unit.db, id) : selectUser(unit.db, id);
}

/** Asks which of these people the person knows: those whose profile and presence they may see. */
export const acquaintances = question<[userId: string, ids: readonly string[]], ReadonlySet<string>>(
  "accounts.acquaintances",
);

/** Asks with whom these people talk outside of servers: the ids of those by person. */
export const partnersOf = question<[userIds: readonly string[]], ReadonlyMap<string, readonly string[]>>(
  "accounts.partnersOf",
);

/** Announces that the own picture with this name, of an account or a server, is not theirs any more. */
export const avatarReleased = question<[name: string], void>("accounts.avatarReleased");

/** Returns the ids of the people with whom this person talks outside of servers. */
async function partnersOfOne(unit: UnitOfWork, userId: string): Promise<readonly string[]> {
  return (await unit.ask(partnersOf, [userId])).flatMap((partners) => partners.get(userId) ?? []);
}

/** Returns those of these people whom the person may look up: themself, and everybody they know. */
export async function knownAmong(
  unit: UnitOfWork,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await unit.ask(acquaintances, userId, ids);
  return new Set([...ids.filter((id) => id === userId), ...known.flatMap((some) => [...some])]);
}

/** Throws 404 unless the person may look the other one up. */
export async function needKnown(unit: UnitOfWork, userId: string, otherId: string): Promise<void> {
  if (!(await knownAmong(unit, userId, [otherId])).has(otherId)) throw notFound();
}

/** Refuses (403) everybody but the owner and the admins of the instance, before anything else is looked up. */
export async function needInstanceAdmin(unit: UnitOfWork, userId: string): Promise<UsersTable> {
  const row = await selectUser(unit.db, userId);
  if (row?.instance_role === "owner" || row?.instance_role === "admin") return row;
  throw new Refusal("forbidden", "Only the owner and the admins of this instance can do this.");
}

/** True if the instance has an owner: once it has one, it always does. */
const owned = perHouse("cache", () => ({ is: false }));

/** True if anybody has registered: the first account owns the instance. */
export function isOwned(unit: UnitOfWork): Soon<boolean> {
  const known = owned(unit.house);
  if (known.is) return true;
  return hasOwner(unit.db).then((is) => {
    // An uncommitted owner may still be rolled back.
    if (!unit.alone) known.is = is;
    return is;
  });
}

/** Returns the public view of a person, for everybody who shares a server with them: it has no private fields. */
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
  return {
    ...toUser(house, row),
    email: row.email ?? "",
    instance_role: row.instance_role,
    direct_from: row.direct_from,
    presence_chosen: row.presence,
  };
}

export async function usersById(unit: UnitOfWork, ids: readonly string[]): Promise<Map<string, User>> {
  const rows = await selectUsers(unit.db, ids);
  return new Map(rows.map((row) => [row.id, toUser(unit.house, row)]));
}

const authorsRemembered = 20_000;

/** Returns the author line of a message, cached until the profile changes. Throws when there is no such account. */
export function authorOf(unit: UnitOfWork, userId: string): Soon<Author> {
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

/**
 * Returns the ids of accounts by username as given; case does not matter, and unknown names are left out. Names that no
 * account has are cached, too.
 */
export async function idsOfUsernames(
  unit: UnitOfWork,
  usernames: readonly string[],
): Promise<Map<string, string>> {
  const cache = unit.house.cache<string | null>("usernames", authorsRemembered);
  const keys = usernames.map(fold);
  const unknown = [...new Set(keys)].filter((key) => cache.peek(key) === undefined);
  const { drops } = cache;
  const found = unknown.length > 0 ? await selectIdsByUsername(unit.house.database.read, unknown) : new Map();
  if (cache.drops === drops) for (const key of unknown) cache.put(key, found.get(key) ?? null);
  const ids = new Map<string, string>();
  usernames.forEach((username, i) => {
    const key = keys[i] ?? "";
    const id = cache.peek(key) ?? found.get(key);
    if (id) ids.set(username, id);
  });
  return ids;
}

/**
 * Inserts an account, whose name is taken from the commit on. The first account ever becomes the instance's owner:
 * returns whether this is that account. Throws conflict (409) when the name or the e-mail address is taken.
 */
export async function addPerson(unit: UnitOfWork, person: NewPerson): Promise<boolean> {
  if (!(await insertPerson(unit.db, person))) {
    throw new Refusal("conflict", "That username or e-mail address is taken.");
  }
  unit.drop("usernames", fold(person.username));
  return claimInstance(unit.db, person.id);
}

/** Inserts the account of a new bot. Returns false when the name is taken. */
export async function addBot(unit: UnitOfWork, bot: NewBot): Promise<boolean> {
  if (!(await insertBot(unit.db, bot))) return false;
  unit.drop("usernames", fold(bot.username));
  return true;
}

type Profile = Pick<UsersTable, "display_name" | "bio" | "accent_color" | "status_text" | "direct_from">;

/**
 * Changes a person's profile, or the name of a bot. `before`: the account's row, which the caller has locked. Returns
 * the row after the change.
 */
export function changeProfile(
  unit: UnitOfWork,
  before: UsersTable,
  changes: Partial<Profile>,
): Promise<UsersTable> {
  return changeMe(unit, before, changes);
}

/**
 * Sets the own picture of a person or bot by its name; null takes it away. `before`: the account's row, which the
 * caller has locked. Returns the row after the change.
 */
export async function setOwnAvatar(
  unit: UnitOfWork,
  before: UsersTable,
  name: string | null,
): Promise<UsersTable> {
  const after = await changeMe(unit, before, { own_avatar: name });
  if (before.own_avatar !== null && before.own_avatar !== name)
    await unit.ask(avatarReleased, before.own_avatar);
  return after;
}

/** Sets a person's public badges. `before`: the account's row, which the caller has locked. */
export async function setBadges(
  unit: UnitOfWork,
  before: UsersTable,
  badges: readonly Badge[],
): Promise<void> {
  await changeMe(unit, before, { badges: JSON.stringify(badges) });
}

/** Sets the person's role in the instance. `before`: the account's row, which the caller has locked. */
export async function setInstanceRole(
  unit: UnitOfWork,
  before: UsersTable,
  role: Exclude<UsersTable["instance_role"], "owner">,
): Promise<void> {
  await changeMe(unit, before, { instance_role: role });
}

/**
 * The only function that changes the fields of `Me`, so the events, live frames and dropped cache keys of a change
 * belong here. Does nothing when no field differs.
 */
async function changeMe(
  unit: UnitOfWork,
  before: UsersTable,
  changes: Partial<Profile & Pick<UsersTable, "badges" | "instance_role" | "own_avatar" | "presence">>,
): Promise<UsersTable> {
  const after = { ...before, ...changes };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  await updateUser(unit.db, before.id, changes);
  if (after.display_name !== before.display_name) await replaceNameWords(unit.db, [after]);
  const own = toMe(unit.house, after);
  if (after.presence !== before.presence) own.presence = await presenceSoon(unit, after);
  unit.emit(meUpdated, personPlace(after.id), own);
  const profile = toUser(unit.house, after);
  if (JSON.stringify(profile) !== JSON.stringify(toUser(unit.house, before))) {
    await tellProfile(unit, profile);
  }
  return after;
}

/** Sends the new profile to all who know the person, and drops its cache entries. */
async function tellProfile(unit: UnitOfWork, profile: User): Promise<void> {
  unit.drop("authors", profile.id);
  unit.drop("pages", "*");
  const serverIds = await unit.house.rights.serversOf(unit, profile.id);
  unit.tellRound(userUpdated, profile.id, serverIds, profile);
  const streams = (await partnersOfOne(unit, profile.id)).map(personStream);
  unit.tell(userUpdated, { ...personPlace(profile.id), streams }, profile);
}

/** Stores the presence that the person chose; others see it once the presence feature has looked. `before`: locked. */
export async function choosePresence(
  unit: UnitOfWork,
  before: UsersTable,
  presence: ChosenPresence,
): Promise<void> {
  await changeMe(unit, before, { presence });
}

/** Sets the hash of a new password. The caller ends the sessions that were opened with the old one. */
export async function setPasswordHash(unit: UnitOfWork, userId: string, hash: string): Promise<void> {
  await updateUser(unit.db, userId, { password_hash: hash });
}

/** Disables every way of signing in to the account. The caller ends its open sessions and tokens. */
export async function disableAccount(unit: UnitOfWork, userId: string): Promise<void> {
  await updateUser(unit.db, userId, { disabled_at: Date.now() });
}

export async function enableAccount(unit: UnitOfWork, userId: string): Promise<void> {
  await updateUser(unit.db, userId, { disabled_at: null });
}
