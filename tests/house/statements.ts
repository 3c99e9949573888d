// Listens to what a house asks of its database meanwhile: the texts of its statements, where they leave the query builder.

import { Database as Sqlite } from "bun:sqlite";
import { spyOn } from "bun:test";
import { join } from "node:path";
import { type CompiledQuery, DefaultQueryExecutor } from "kysely";
import type { TestHouse } from "./engines.ts";

interface Heard<T> {
  answer: T;
  /** In the order in which they were asked, those of other work at the same time among them. */
  statements: string[];
  /** The most that were asked before everybody else had their turn. */
  statementsInOneTurn: number;
  /**
   * The most rows that were read or changed before everybody else had their turn. On PostgreSQL those of one statement:
   * others have their turn while it is on its way, but on a busy machine several answers are there at once.
   */
  rowsInOneTurn: number;
}

type Result = { rows: readonly unknown[]; numAffectedRows?: bigint };
type Execute = (this: unknown, query: CompiledQuery, ...more: unknown[]) => Promise<Result>;

/** The signs of life that a process gives every few seconds and whose sockets it has: no work of anybody's. */
const isSignOfLife = /^\s*(?:insert into (?:processes|connections)\b|select [^(]* from "processes")/;

/** From here on the house does nothing by itself: what that asks would be counted with the rest. */
export async function statementsOf<T>(house: TestHouse, work: () => Promise<T>): Promise<Heard<T>> {
  await house.quiet();
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
    this: unknown,
    query,
    ...more
  ) {
    if (isSignOfLife.test(query.sql)) return execute.call(this, query, ...more);
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
  }
}

/** How the embedded engine would go about a statement; nothing of the other one, whose plans hang on how much is there. */
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
