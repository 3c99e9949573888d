// The index of names for prefix search: finds people by the beginning of a name, or of a word in it.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { expanding, type Report } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";
import type { Tables } from "../../server/database/tables.ts";
import { lowestId } from "../../server/tokens.ts";
import { searchBeginnings } from "./names.ts";

/** `word`: a whole name, or one word of it, in searchable form. */
export interface NameWord {
  word: string;
  user_id: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    /** `folding`: 2 for a word folded as searches are; less, by default 0, for a word written by an earlier release. */
    name_words: NameWord & { folding: number };
  }
}

const foldingNow = 2;
/** The condition of the partial index `name_words_folded_before`. */
const isUnfolded = sql<boolean>`folding < 2`;

/** Sorts after every character that a word may continue with, on both engines. */
const lastSign = "\u{10ffff}";
/** Accounts per step of the migration. */
const accountsAtOnce = 500;
const reportedEvery = 20_000;

/** `select` returns accounts in order of id. */
export function nameWordMigrations(
  engine: Database["engine"],
  select: (db: Db, after: string, limit: number) => Promise<Named[]>,
  report: Report = () => {},
): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0054_name_words": {
      async up(db) {
        await db.schema
          .createTable("name_words")
          .addColumn("word", type.text, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addPrimaryKeyConstraint("name_words_pk", ["word", "user_id"])
          .execute();
        for (let after = lowestId, done = 0, isOver = false; !isOver; ) {
          const accounts = await select(db, after, accountsAtOnce);
          // The column `folding` comes with 0083: these words are refolded after it.
          await insertRows(db, wordsOf(accounts));
          done += accounts.length;
          if (done > 0 && done % reportedEvery === 0)
            report(`the names of ${done} accounts can be searched for`);
          after = accounts.at(-1)?.id ?? after;
          isOver = accounts.length < accountsAtOnce;
        }
        await db.schema.createIndex("name_words_user").on("name_words").column("user_id").execute();
      },
    },
    "0083_name_words_folding": expanding({
      async up(db) {
        await db.schema
          .alterTable("name_words")
          .addColumn("folding", type.integer, (c) => c.notNull().defaultTo(0))
          .execute();
        await sql`create index name_words_unfolded on name_words (user_id) where folding = 0`.execute(db);
      },
    }),
    "0097_name_words_folding_again": expanding({
      async up(db) {
        await sql`create index name_words_folded_before on name_words (user_id) where ${isUnfolded}`.execute(
          db,
        );
      },
    }),
  };
}

/** An account with its searchable names. */
export interface Named {
  id: string;
  username: string;
  display_name: string;
}

/** Rows per INSERT: both engines limit the number of values in a statement. */
const insertedAtOnce = 1000;

export async function insertNameWords(db: Db, accounts: readonly Named[]): Promise<void> {
  await insertRows(
    db,
    wordsOf(accounts).map((word) => ({ ...word, folding: foldingNow })),
  );
}

function wordsOf(accounts: readonly Named[]): NameWord[] {
  return accounts.flatMap(({ id, username, display_name }) =>
    searchBeginnings(username, display_name).map((word) => ({ word, user_id: id })),
  );
}

async function insertRows(db: Db, rows: readonly NameWord[]): Promise<void> {
  for (let i = 0; i < rows.length; i += insertedAtOnce) {
    const some = rows.slice(i, i + insertedAtOnce);
    await db
      .insertInto("name_words")
      .values(some as Tables["name_words"][])
      .execute();
  }
}

/** Replaces the search words of accounts after their names, or the folding of names, have changed. */
export async function replaceNameWords(db: Db, accounts: readonly Named[]): Promise<void> {
  const ids = JSON.stringify(accounts.map(({ id }) => id));
  await db
    .deleteFrom("name_words")
    .where(isListed(db, "user_id", ids))
    .execute();
  await insertNameWords(db, accounts);
}

/** Returns the ids of accounts that have words folded by an earlier release, in order. */
export async function selectUnfolded(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("name_words")
    .select("user_id")
    .distinct()
    .where(isUnfolded)
    .orderBy("user_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

const accountsNamed = prepared<{ word: string; userId: string; last: string; limit: number }, NameWord>(
  (db, value) =>
    db
      .selectFrom("name_words")
      .select(["word", "user_id"])
      .where((eb) => eb(eb.refTuple("word", "user_id"), ">", eb.tuple(value("word"), value("userId"))))
      .where("word", "<", value("last"))
      .orderBy("word")
      .orderBy("user_id")
      .limit(value("limit")),
);

/** Returns names that begin with `beginning`, in index order, after `after`. An account may occur several times. */
export function selectNamed(
  db: Db,
  beginning: string,
  after: NameWord | undefined,
  limit: number,
): Promise<NameWord[]> {
  const { word, user_id: userId } = after ?? { word: beginning, user_id: lowestId };
  return accountsNamed(db, { word, userId, last: beginning + lastSign, limit });
}

const thoseNamed = prepared<{ userIds: string; first: string; last: string }, { user_id: string }>(
  (db, value) =>
    db
      .selectFrom("name_words")
      .select("user_id")
      .where(isListed(db, "user_id", value("userIds")))
      .where("word", ">=", value("first"))
      .where("word", "<", value("last")),
);

/** Returns those of these accounts with a name, or a word in a name, that begins with `beginning`. */
export async function selectNamedAmong(
  db: Db,
  userIds: readonly string[],
  beginning: string,
): Promise<Set<string>> {
  const range = { first: beginning, last: beginning + lastSign };
  const rows = await thoseNamed(db, { ...range, userIds: JSON.stringify(userIds) });
  return new Set(rows.map((row) => row.user_id));
}
