// Queries that are compiled once and run with new values each time: for paths that run thousands of times a second.
import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

type Values = Record<string, unknown>;

/** `build` is called once per engine; `value("x")` stands for the value that each call passes as `x`. */
export function prepared<V extends Values, Row>(
  build: (db: Db, value: <K extends keyof V & string>(name: K) => V[K]) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  return async (db, values) => {
    const engine = db.getExecutor().adapter.constructor;
    let query = compiled.get(engine);
    if (!query) {
      query = build(db, (name) => new Hole(name) as never).compile();
      compiled.set(engine, query);
    }
    const parameters = query.parameters.map((each) => (each instanceof Hole ? values[each.name] : each));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

class Hole {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
