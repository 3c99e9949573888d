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
  /** The most rows that were read or changed before everybody else had their turn. */
  rowsInOneTurn: number;
}

type Result = { rows: readonly unknown[]; numAffectedRows?: bigint };
type Execute = (this: unknown, query: CompiledQuery, ...more: unknown[]) => Promise<Result>;

/** From here on the house does nothing by itself: what that asks would be counted with the rest. */
export async function statementsOf<T>(house: TestHouse, work: () => Promise<T>): Promise<Heard<T>> {
  await house.quiet();
  const statements: string[] = [];
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
    statements.push(query.sql);
    const result = await execute.call(this, query, ...more);
    const rows = Math.max(result.rows.length, Number(result.numAffectedRows ?? 0n));
    rowsByTurn.set(turn, (rowsByTurn.get(turn) ?? 0) + rows);
    return result;
  });
  try {
    const answer = await work();
    return { answer, statements, rowsInOneTurn: Math.max(0, ...rowsByTurn.values()) };
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
