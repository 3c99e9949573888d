// A connection to the SQLite database, with prepared statements, and Kysely's driver for it.
import { type SQLQueryBindings, Database as Sqlite, type Statement } from "bun:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { CannotStart } from "../cannot-start.ts";
import type { Db, Row, TableName } from "./database.ts";
import { explained } from "./sqlite-errors.ts";
import type { Tables } from "./tables.ts";

interface Known {
  prepared: Statement;
  /** Cached, because asking SQLite costs as much as a small query. */
  answersRows: boolean;
}

/** Returns for each row whether it was inserted. */
type Insert = (rows: readonly Row[]) => boolean[];

export interface Connection {
  connection: Sqlite;
  db: Db;
  begin: Statement;
  commit: Statement;
  rollback: Statement;
  statement(sql: string): Known;
  /** Prepared inserts, by table and whether taken keys are skipped. */
  inserts: Map<string, Insert>;
}

export function connect(file: string): Connection {
  const connection = openFile(file);
  const statements = new Map<string, Known>();
  function statement(sql: string): Known {
    let known = statements.get(sql);
    if (known) return known;
    if (statements.size >= 500) {
      const [oldest, unused] = statements.entries().next().value as [string, Known];
      unused.prepared.finalize();
      statements.delete(oldest);
    }
    const prepared = connection.prepare(sql);
    known = { prepared, answersRows: prepared.columnNames.length > 0 };
    statements.set(sql, known);
    return known;
  }
  return {
    connection,
    statement,
    inserts: new Map(),
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new TransactionalAdapter(),
        createDriver: () => new SingleConnectionDriver(statement),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    begin: connection.prepare("BEGIN IMMEDIATE"),
    commit: connection.prepare("COMMIT"),
    rollback: connection.prepare("ROLLBACK"),
  };
}

function openFile(file: string): Sqlite {
  try {
    const connection = new Sqlite(file, { create: true, readwrite: true, strict: true });
    connection.exec("PRAGMA busy_timeout = 2000");
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = FULL");
    connection.exec("PRAGMA foreign_keys = ON");
    // Overwrites deleted rows with zeros.
    connection.exec("PRAGMA secure_delete = ON");
    connection.exec("PRAGMA cache_size = -16000");
    return connection;
  } catch (error) {
    throw new CannotStart(`The database file ${file} cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Rows per statement: measured, more gain little, as most of the remaining time is the binding of values. */
const rowsAtOnce = 16;

export function insertRows(
  { connection, inserts }: Connection,
  table: TableName,
  rows: readonly Row[],
  skipTaken: boolean,
): boolean[] {
  const key = `${table} ${skipTaken}`;
  const insert = inserts.get(key) ?? inserter(connection, table, Object.keys(rows[0] ?? {}), skipTaken);
  inserts.set(key, insert);
  return insert(rows);
}

function inserter(
  connection: Sqlite,
  table: TableName,
  columns: readonly string[],
  skipTaken: boolean,
): Insert {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const places = `(${columns.map(() => "?").join(", ")})`;
  // By default a taken key rolls the statement back, for which SQLite first copies every page that its rows change; for
  // rows scattered over an index that multiplies the time. A failed insert ends its transaction anyway.
  const ifTaken = skipTaken ? "ignore" : "fail";
  const insertOf = (count: number) =>
    connection.prepare<unknown, SQLQueryBindings[]>(
      `insert or ${ifTaken} into "${table}" (${names}) values ${Array(count).fill(places).join(", ")}`,
    );
  const one = insertOf(1);
  // For several rows, SQLite would only report how many were inserted.
  if (skipTaken) return (rows) => rows.map((row) => one.run(...valuesOf([row], columns)).changes > 0);
  let several: typeof one | undefined;
  return (rows) => {
    let at = 0;
    for (; at + rowsAtOnce <= rows.length; at += rowsAtOnce) {
      several ??= insertOf(rowsAtOnce);
      several.run(...valuesOf(rows.slice(at, at + rowsAtOnce), columns));
    }
    for (; at < rows.length; at++) one.run(...valuesOf(rows.slice(at, at + 1), columns));
    return rows.map(() => true);
  };
}

function valuesOf(rows: readonly Row[], columns: readonly string[]): SQLQueryBindings[] {
  const values: SQLQueryBindings[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column] ?? null);
  return values;
}

/**
 * SQLite can change tables inside a transaction; a process killed in the middle of a migration leaves nothing of it.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's driver for one connection whose statements run synchronously. */
class SingleConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(statement: (sql: string) => Known) {
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        try {
          const { prepared, answersRows } = statement(query.sql);
          const parameters = query.parameters as SQLQueryBindings[];
          if (answersRows) return { rows: prepared.all(...parameters) as R[] };
          const { changes } = prepared.run(...parameters);
          return { rows: [], numAffectedRows: BigInt(changes) };
        } catch (error) {
          throw explained(error);
        }
      },
      // biome-ignore lint/correctness/useYield: SQLite answers whole; nothing here streams.
      async *streamQuery() {
        throw new Error("streaming is not used");
      },
    };
  }

  async init() {}
  async acquireConnection() {
    return this.#connection;
  }
  async releaseConnection() {}
  async destroy() {}
  // Only migrations request transactions here; requests take theirs through Database.transaction.
  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }
}
