// The table of people: every line of SQL about accounts.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { decideOnce, isDecided } from "../../server/database/instance.ts";
import { isListed } from "../../server/database/listed.ts";
import type { Report } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";
import { insertNameWords, type Named, nameWordMigrations } from "./name-words.ts";

export type ChosenPresence = "online" | "idle" | "dnd" | "invisible";

export interface UsersTable {
  id: string;
  username: string;
  /** The folded name, which only one account can have. */
  username_key: string;
  /** Null for bots. */
  email: string | null;
  email_key: string | null;
  display_name: string;
  bio: string;
  accent_color: string | null;
  status_text: string;
  avatar: string | null;
  presence: ChosenPresence;
  password_hash: string | null;
  instance_role: "owner" | "admin" | "member";
  is_bot: number;
  /** Of a bot: the person who made it and answers for it, even once it is deleted. Null for people. */
  owner_id: string | null;
  /** JSON: the badges as everybody sees them. */
  badges: string;
  /** Since when the operator keeps this account from signing in; null while it may. */
  disabled_at: number | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    users: UsersTable;
  }
}

export function accountMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    ...nameWordMigrations(engine, selectNames, report),
    "0001_accounts": {
      async up(db) {
        await db.schema
          .createTable("users")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("username", type.text, (c) => c.notNull())
          .addColumn("username_key", type.text, (c) => c.notNull().unique())
          .addColumn("email", type.text)
          .addColumn("email_key", type.text, (c) => c.unique())
          .addColumn("display_name", type.text, (c) => c.notNull())
          .addColumn("bio", type.text, (c) => c.notNull().defaultTo(""))
          .addColumn("accent_color", type.text)
          .addColumn("status_text", type.text, (c) => c.notNull().defaultTo(""))
          .addColumn("avatar", type.text)
          .addColumn("presence", type.text, (c) => c.notNull().defaultTo("online"))
          .addColumn("password_hash", type.text)
          .addColumn("instance_role", type.text, (c) => c.notNull().defaultTo("member"))
          .addColumn("is_bot", type.integer, (c) => c.notNull().defaultTo(0))
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
      },
    },
    "0010_badges_shown": {
      async up(db) {
        await db.schema
          .alterTable("users")
          .addColumn("badges", type.text, (c) => c.notNull().defaultTo("[]"))
          .execute();
      },
    },
    "0024_disabled": {
      async up(db) {
        await db.schema.alterTable("users").addColumn("disabled_at", type.integer).execute();
      },
    },
    "0025_owners": {
      async up(db) {
        await db.schema
          .alterTable("users")
          .addColumn("owner_id", type.uuid, (c) => c.references("users.id"))
          .execute();
        await db.schema.createIndex("users_owner").on("users").column("owner_id").execute();
      },
    },
  };
}

/** Returns what makes a name or an address the same one, whatever its case. */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
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

/** Makes the first account ever the instance's owner. Returns whether this is the one. */
export async function claimInstance(db: Db, userId: string): Promise<boolean> {
  if ((await decideOnce(db, "owner", userId)) !== userId) return false;
  await db.updateTable("users").set({ instance_role: "owner" }).where("id", "=", userId).execute();
  return true;
}

export function hasOwner(db: Db): Promise<boolean> {
  return isDecided(db, "owner");
}

export function selectUser(db: Db, id: string): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

export function selectUserForUpdate(db: Db, id: string): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function selectUsers(db: Db, ids: readonly string[]): Promise<UsersTable[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("users").selectAll().where("id", "in", ids).execute();
}

const statusTexts = prepared<{ ids: string }, { id: string; status_text: string }>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", "status_text"])
    .where(isListed(db, "id", value("ids"))),
);

/** Returns by user id the status text, which stands beside the name. */
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

/** Returns how these people wish to be seen. */
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

/** Returns the ids of accounts by folded username; `keys` are folded, too. */
export async function selectIdsByUsername(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "username_key"])
    .where("username_key", "in", keys)
    .execute();
  return new Map(rows.map((row) => [row.username_key, row.id]));
}

export type UserChanges = Partial<
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
  >
>;

export async function updateUser(db: Db, id: string, changes: UserChanges): Promise<void> {
  await db.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Returns the names of people and bots by id. */
function selectNames(db: Db, after: string, limit: number): Promise<Named[]> {
  return db
    .selectFrom("users")
    .select(["id", "username", "display_name"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** What the operator sees of a person in a list. */
export type ListedPerson = Pick<
  UsersTable,
  "id" | "username" | "display_name" | "email" | "instance_role" | "disabled_at" | "created_at"
>;

/** Returns people by id, the oldest accounts first. */
export function selectPeople(db: Db, after: string | undefined, limit: number): Promise<ListedPerson[]> {
  return db
    .selectFrom("users")
    .select(["id", "username", "display_name", "email", "instance_role", "disabled_at", "created_at"])
    .where("is_bot", "=", 0)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}
