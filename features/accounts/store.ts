// The table of people, and all SQL about accounts.
import { asciiEmail } from "../../protocol/email.ts";
import type { Db } from "../../server/database/database.ts";
import { decideOnce, isDecided } from "../../server/database/instance.ts";
import { isListed } from "../../server/database/listed.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId } from "../../server/tokens.ts";
import { insertNameWords, type Named } from "./name-words.ts";

export type ChosenPresence = "online" | "idle" | "dnd" | "invisible";

export interface UsersTable {
  id: string;
  username: string;
  /** The folded name; unique. */
  username_key: string;
  /** Null for bots. */
  email: string | null;
  email_key: string | null;
  display_name: string;
  bio: string;
  accent_color: string | null;
  status_text: string;
  avatar: string | null;
  /** The name of the picture that the person uploaded, which goes before `avatar`; null without one. */
  own_avatar: string | null;
  presence: ChosenPresence;
  password_hash: string | null;
  instance_role: "owner" | "admin" | "member";
  /** The people who may begin a conversation with this one: those in a shared server, or none. */
  direct_from: "shared_servers" | "nobody";
  is_bot: number;
  /** The person who created the bot and is responsible for it, kept once the bot is deleted. Null for people. */
  owner_id: string | null;
  /** JSON: the public badges. */
  badges: string;
  /** When the operator disabled the account; null while it may sign in. */
  disabled_at: number | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    users: UsersTable;
  }
}

/** Returns the key by which a name or an e-mail address is unique, whatever its case and the script of its domain. */
export function fold(name: string): string {
  return asciiEmail(name.normalize("NFC").toLowerCase());
}

export interface NewPerson {
  id: string;
  username: string;
  email: string;
  displayName: string;
  avatar: string | null;
  passwordHash: string;
}

export interface NewBot extends Pick<NewPerson, "id" | "username" | "displayName"> {
  ownerId: string;
}

/** Returns false when the name or the address is taken. */
export function insertPerson(db: Db, person: NewPerson): Promise<boolean> {
  return insertUser(db, { ...person, ownerId: null, isBot: 0 });
}

/** Returns false when the name is taken. A bot has no address and no password, so nobody can sign in as one. */
export function insertBot(db: Db, bot: NewBot): Promise<boolean> {
  return insertUser(db, { ...bot, email: null, avatar: null, passwordHash: null, isBot: 1 });
}

interface NewUser extends Pick<NewPerson, "id" | "username" | "displayName" | "avatar"> {
  email: string | null;
  passwordHash: string | null;
  ownerId: string | null;
  isBot: 0 | 1;
}

async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("users")
    .values({
      id: user.id,
      username: user.username,
      username_key: fold(user.username),
      email: user.email,
      email_key: user.email === null ? null : fold(user.email),
      display_name: user.displayName,
      bio: "",
      accent_color: null,
      status_text: "",
      avatar: user.avatar,
      presence: "online",
      password_hash: user.passwordHash,
      instance_role: "member",
      direct_from: "shared_servers",
      is_bot: user.isBot,
      owner_id: user.ownerId,
      badges: "[]",
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await insertNameWords(db, [{ ...user, display_name: user.displayName }]);
  return true;
}

/** Makes this account the instance's owner if it is the first ever. Returns whether it is. */
export async function claimInstance(db: Db, userId: string): Promise<boolean> {
  if ((await decideOnce(db, "owner", userId)) !== userId) return false;
  await db.updateTable("users").set({ instance_role: "owner" }).where("id", "=", userId).execute();
  return true;
}

export function hasOwner(db: Db): Promise<boolean> {
  return isDecided(db, "owner");
}

const userById = prepared<{ id: string }, UsersTable>((db, value) =>
  db.selectFrom("users").selectAll().where("id", "=", value("id")),
);

export async function selectUser(db: Db, id: string): Promise<UsersTable | undefined> {
  return (await userById(db, { id }))[0];
}

export function selectUserForUpdate(db: Db, id: string): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

const users = prepared<{ ids: string }, UsersTable>((db, value) =>
  db
    .selectFrom("users")
    .selectAll()
    .where(isListed(db, "id", value("ids"))),
);

export async function selectUsers(db: Db, ids: readonly string[]): Promise<UsersTable[]> {
  return ids.length === 0 ? [] : users(db, { ids: JSON.stringify(ids) });
}

const statusTexts = prepared<{ ids: string }, { id: string; status_text: string }>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", "status_text"])
    .where(isListed(db, "id", value("ids"))),
);

/** Returns the status texts, which are shown beside names, by user id. */
export async function selectStatusTexts(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await statusTexts(db, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row.status_text]));
}

type PresenceRow = Pick<UsersTable, "id" | "presence" | "status_text">;

const presences = prepared<{ ids: string }, PresenceRow>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", "presence", "status_text"])
    .where(isListed(db, "id", value("ids"))),
);

/** Returns the chosen presences and the status texts of these people. */
export function selectPresences(db: Db, ids: readonly string[]): Promise<PresenceRow[]> {
  return presences(db, { ids: JSON.stringify(ids) });
}

/** Returns the person with this e-mail address or username, whichever the login is. */
export function selectByLogin(db: Db, login: string): Promise<UsersTable | undefined> {
  const key = fold(login.trim());
  return db
    .selectFrom("users")
    .selectAll()
    .where("is_bot", "=", 0)
    .where((eb) => (key.includes("@") ? eb("email_key", "=", key) : eb("username_key", "=", key)))
    .executeTakeFirst();
}

/** Returns the person or bot with this username. */
export function selectByUsername(db: Db, username: string): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("username_key", "=", fold(username)).executeTakeFirst();
}

const idsByUsername = prepared<{ keys: string }, Pick<UsersTable, "id" | "username_key">>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", "username_key"])
    .where(isListed(db, "username_key", value("keys"), "text")),
);

/** Returns the ids of accounts by folded username; `keys` are folded, too. */
export async function selectIdsByUsername(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await idsByUsername(db, { keys: JSON.stringify(keys) });
  return new Map(rows.map((row) => [row.username_key, row.id]));
}

type UserChanges = Partial<
  Pick<
    UsersTable,
    | "display_name"
    | "bio"
    | "accent_color"
    | "status_text"
    | "presence"
    | "password_hash"
    | "badges"
    | "disabled_at"
    | "instance_role"
    | "direct_from"
    | "own_avatar"
  >
>;

export async function updateUser(db: Db, id: string, changes: UserChanges): Promise<void> {
  await db.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Returns the names of people and bots, in order of id. */
export function selectNames(db: Db, after: string, limit: number): Promise<Named[]> {
  return db
    .selectFrom("users")
    .select(["id", "username", "display_name"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns the names of these accounts, locked when in a transaction: nobody else renames them before the commit. */
export function lockNames({ db, locksRows }: UnitOfWork, ids: readonly string[]): Promise<Named[]> {
  return db
    .selectFrom("users")
    .select(["id", "username", "display_name"])
    .where(isListed(db, "id", JSON.stringify(ids)))
    .orderBy("id")
    .$if(locksRows, (query) => query.forUpdate())
    .execute();
}

/** A person in the operator's list. */
export type ListedPerson = Pick<
  UsersTable,
  "id" | "username" | "display_name" | "email" | "instance_role" | "disabled_at" | "created_at"
>;

const people = prepared<{ after: string; limit: number }, ListedPerson>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", "username", "display_name", "email", "instance_role", "disabled_at", "created_at"])
    .where("is_bot", "=", 0)
    .where("id", ">", value("after"))
    .orderBy("id")
    .limit(value("limit")),
);

/** Returns people in order of id, the oldest accounts first. */
export function selectPeople(db: Db, after = lowestId, limit: number): Promise<ListedPerson[]> {
  return people(db, { after, limit });
}
