// Listens to what a house asks of its database meanwhile: the texts of its statements, where they leave the query builder.
import { spyOn } from "bun:test";
import { type CompiledQuery, DefaultQueryExecutor } from "kysely";

interface Heard<T> {
  answer: T;
  /** In the order in which they were asked, those of other work at the same time among them. */
  statements: string[];
}

type Execute = (this: unknown, query: CompiledQuery, ...more: unknown[]) => unknown;

export async function statementsOf<T>(work: () => Promise<T>): Promise<Heard<T>> {
  const statements: string[] = [];
  const executor = DefaultQueryExecutor.prototype as unknown as { executeQuery: Execute };
  const execute = executor.executeQuery;
  const spy = spyOn(executor, "executeQuery").mockImplementation(function (this: unknown, query, ...more) {
    statements.push(query.sql);
    return execute.call(this, query, ...more);
  });
  try {
    return { answer: await work(), statements };
  } finally {
    spy.mockRestore();
  }
}
