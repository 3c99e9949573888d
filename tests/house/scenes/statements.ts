// Records the SQL statements of a house during some work, where they leave the query builder.

import { Database as Sqlite } from "bun:sqlite";
import { spyOn } from "bun:test";
import { join } from "node:path";
import { type CompiledQuery, DefaultQueryExecutor } from "kysely";
import type { Database, Db } from "../../../server/database/database.ts";
import type { TestHouse } from "../open/engines.ts";
import { storedAfterwards } from "./read-states.ts";

interface Heard<T> {
  answer: T;
  /** In order, with those of other work at the same time among them. */
  statements: string[];
  /** The most statements in one turn of the event loop. */
  statementsInOneTurn: number;
  /**
   * The most rows that were read or changed in one turn of the event loop. On PostgreSQL the most of one statement:
   * each waits for the network, but on a busy machine several results arrive at once.
   */
  rowsInOneTurn: number;
}

type Result = { rows: readonly unknown[]; numAffectedRows?: bigint };
type Executor = Pick<DefaultQueryExecutor, "adapter">;
type Execute = (this: Executor, query: CompiledQuery, ...more: unknown[]) => Promise<Result>;

/** The heartbeats of a process, and the connections it reports, every few seconds: no part of the work. */
const isSignOfLife = /^\s*(?:insert into (?:processes|connections)\b|select [^(]* from "processes")/;

/**
 * Stops the background work of the house, whose statements would be counted too. Statements of another house, which an
 * earlier test left open in the same process, do not count.
 */
export async function statementsOf<T>(house: TestHouse, work: () => Promise<T>): Promise<Heard<T>> {
  await house.quiet();
  return storedAfterwards(house, () => heardWhile(house, work));
}

async function heardWhile<T>(house: TestHouse, work: () => Promise<T>): Promise<Heard<T>> {
  const connections = connectionsOf(house);
  const statements: string[] = [];
  const statementsByTurn = new Map<number, number>();
  const rowsByTurn = new Map<number, number>();
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const executor = DefaultQueryExecutor.prototype as unknown as { executeQuery: Execute };
  const execute = executor.executeQuery;
  const spy = spyOn(executor, "executeQuery").mockImplementation(async function (
    this: Executor,
    query,
    ...more
  ) {
    if (!connections.have(this) || isSignOfLife.test(query.sql)) return execute.call(this, query, ...more);
    statements.push(query.sql);
    statementsByTurn.set(turn, (statementsByTurn.get(turn) ?? 0) + 1);
    const result = await execute.call(this, query, ...more);
    const rows = Math.max(result.rows.length, Number(result.numAffectedRows ?? 0n));
    if (house.engine !== "SQLite") rowsByTurn.set(rowsByTurn.size, rows);
    else rowsByTurn.set(turn, (rowsByTurn.get(turn) ?? 0) + rows);
    return result;
  });
  try {
    const answer = await work();
    const most = (byTurn: Map<number, number>) => Math.max(0, ...byTurn.values());
    return {
      ...{ answer, statements },
      ...{ statementsInOneTurn: most(statementsByTurn), rowsInOneTurn: most(rowsByTurn) },
    };
  } finally {
    clearImmediate(next);
    spy.mockRestore();
    connections.end();
  }
}

/** Tells a house's connections from those of another: each has an adapter of its own. */
function connectionsOf({ all }: TestHouse) {
  const adapters = new Set<unknown>();
  const note = (db: Db) => adapters.add(db.getExecutor().adapter);
  const ends = all.map(({ house: { database } }) => {
    note(database.read);
    return noteUsed(database, note);
  });
  return {
    have: ({ adapter }: Executor) => adapters.has(adapter),
    end() {
      for (const end of ends) end();
    },
  };
}

/** Calls `note` with each transaction's connection before its first statement. Returns a function that ends this. */
function noteUsed(database: Database, note: (db: Db) => void): () => void {
  const { transaction, snapshot } = database;
  const noting =
    <T>(work: (db: Db) => Promise<T>) =>
    (db: Db) => {
      note(db);
      return work(db);
    };
  database.transaction = (work, tries) => transaction(noting(work), tries);
  database.snapshot = (work) => snapshot(noting(work));
  return () => Object.assign(database, { transaction, snapshot });
}

/** The query plan of SQLite; empty for PostgreSQL, whose plans depend on the amount of data. */
export function planOf({ engine, settings }: TestHouse, statement: string): string[] {
  if (engine !== "SQLite") return [];
  const file = new Sqlite(join(settings.DATA_DIR ?? "", "hearth.db"), { readonly: true });
  try {
    const steps = file.prepare<{ detail: string }, []>(`explain query plan ${statement}`).all();
    return steps.map((step) => step.detail);
  } finally {
    file.close();
  }
}
