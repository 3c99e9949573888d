// Sweeping: rows that depend on a deleted row are recorded in its transaction, and deleted by a job in pieces.
import { type Migration, type RawBuilder, sql } from "kysely";
import { columnTypes } from "../database/columns.ts";
import type { Database, Db, TableName } from "../database/database.ts";
import { listed } from "../database/listed.ts";
import type { Tables } from "../database/tables.ts";
import type { Job } from "./feature.ts";
import type { House } from "./house.ts";
import { nextTurn } from "./pieces.ts";
import type { UnitOfWork } from "./unit.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** One row per due sweep: the name of a `Sweep`, and the id that the rows to delete refer to. */
    sweeps: { name: string; id: string };
  }
}

/** Rows that depend on something deleted, and how they are deleted in pieces. */
export interface Sweep {
  /** Stored in the database until the sweep is done, so it never changes. */
  name: string;
  /** Deletes up to `limit` rows that refer to this id. Returns how many; fewer mean that none are left. */
  piece(unit: UnitOfWork, id: string, limit: number): Promise<number>;
}

export function sweepingMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0029_sweeps": {
      async up(db) {
        await db.schema
          .createTable("sweeps")
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("id", type.uuid, (c) => c.notNull())
          .addPrimaryKeyConstraint("sweeps_pk", ["name", "id"])
          .execute();
      },
    },
  };
}

type Column<T extends TableName> = keyof Tables[T] & string;

/**
 * Sweeps the rows of a table whose column `by` refers to something deleted; `key` is the table's primary key. The rows
 * go in the order of an index that begins with `by`: that of the key, unless `order` names another.
 */
export function sweepOf<T extends TableName>(
  table: T,
  by: Column<T>,
  key: readonly Column<T>[],
  order: readonly Column<T>[] = key,
): Sweep {
  return {
    name: `${table} by ${by}`,
    piece: ({ db }, id, limit) =>
      deletePiece(db, { table, key, where: sql`${sql.ref(by)} = ${id}`, order }, limit),
  };
}

interface Piece<T extends TableName> {
  table: T;
  /** Columns of the primary key. */
  key: readonly Column<T>[];
  where: RawBuilder<unknown>;
  /** The columns of an index: without it PostgreSQL may scan the whole table for a few rows. */
  order: readonly Column<T>[];
}

/** Deletes up to `limit` rows of a table. Returns how many. */
export async function deletePiece<T extends TableName>(
  db: Db,
  { table, key, where, order }: Piece<T>,
  limit: number,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const ordered = sql.join(order.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${columns}) in
    (select ${columns} from ${sql.table(table)} where ${where} order by ${ordered} limit ${limit})`.execute(
    db,
  );
  return Number(numAffectedRows);
}

/**
 * Schedules a sweep for these deleted ids. Rows that refer to them are unreachable from this commit on, and deleted
 * soon after it.
 */
export async function leave({ db }: UnitOfWork, { name }: Sweep, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const left = db
    .selectFrom(listed(db, JSON.stringify(ids)).as("gone"))
    .select([sql<string>`cast(${name} as text)`.as("name"), "gone.id"])
    // Without a condition SQLite would parse the `on conflict` that follows as part of the select.
    .where(sql<boolean>`true`);
  await db
    .insertInto("sweeps")
    .columns(["name", "id"])
    .expression(left)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Rows that one commit deletes: other writers wait for it. */
const rowsAtOnce = 500;
/** Rows after which other work has its turn of the event loop. */
const rowsPerTurn = 100;
/** The cost of one entry, however few rows it has, counted in rows. */
const entryCost = 5;

export const sweeping: Job = {
  name: "sweep what deletions left",
  everyMs: 5000,
  async run(house) {
    if ((await selectLeft(house.database.read).execute()).length === 0) return false;
    await house.write(sweepSome);
    return true;
  },
};

function selectLeft(db: Db) {
  return db
    .selectFrom("sweeps")
    .selectAll()
    .orderBy("name")
    .orderBy("id")
    .limit(rowsAtOnce / entryCost);
}

async function sweepSome(unit: UnitOfWork): Promise<void> {
  // Without a lock, two processes that sweep the same rows would each delete fewer, and consider the sweep done.
  const all = selectLeft(unit.db);
  const left = await (unit.locksRows ? all.forUpdate() : all).execute();
  let rows = 0;
  let rowsOfTurn = 0;
  for (const { name, id } of left) {
    const sweep = sweepNamed(unit.house, name);
    for (let isDone = false; !isDone; ) {
      if (rows >= rowsAtOnce) return;
      if (rowsOfTurn >= rowsPerTurn) {
        rowsOfTurn = 0;
        await nextTurn();
      }
      const gone = await sweep.piece(unit, id, rowsPerTurn);
      isDone = gone < rowsPerTurn;
      rows += gone + entryCost;
      rowsOfTurn += gone + entryCost;
    }
    await unit.db.deleteFrom("sweeps").where("name", "=", name).where("id", "=", id).execute();
  }
}

function sweepNamed({ features }: House, name: string): Sweep {
  for (const feature of features) {
    const sweep = feature.sweeps?.find((each) => each.name === name);
    if (sweep) return sweep;
  }
  throw new Error(`no feature sweeps ${name}`);
}
