// The embedded database as an end of a move, opened beside a server that may be running on it.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../../server/database/database.ts";
import { connect, insertRows } from "../../server/database/sqlite-connection.ts";
import { isBusy } from "../../server/database/sqlite-errors.ts";
import type { End, Table } from "./end.ts";

/** Retries of a busy database: even a server that commits without pause lets another program in within some. */
const tries = 500;
const pauseMs = 10;

/** `target`: nobody else uses it, and its rows arrive in any order. */
export function sqliteEnd(file: string, role: "source" | "target"): End {
  const opened = connect(file);
  const { connection, db } = opened;
  // A running server checkpoints the write-ahead log itself.
  if (role === "source") connection.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0");
  else connection.exec("PRAGMA foreign_keys = OFF");

  async function within<T>(begin: string, work: (db: Db) => Promise<T>): Promise<T> {
    for (let left = tries; ; left--) {
      try {
        connection.exec(begin);
        break;
      } catch (error) {
        if (!isBusy(error) || left === 0) throw error;
        await sleep(pauseMs);
      }
    }
    try {
      const result = await work(db);
      connection.exec("COMMIT");
      return result;
    } finally {
      if (connection.inTransaction) connection.exec("ROLLBACK");
    }
  }

  return {
    engine: "sqlite",
    db,
    name: file,
    tables: () => sqliteTables(db),
    snapshot: (work) => within("BEGIN", work),
    transaction: (work) => within("BEGIN IMMEDIATE", work),
    insert: async (_db, table, rows, skipTaken) => insertRows(opened, table, rows, skipTaken),
    picks({ key }, keys) {
      const columns = sql.join(key.map((column) => sql.ref(column)));
      const values = sql.join(key.map((_, i) => sql`value ->> ${sql.lit(i)}`));
      return sql`(${columns}) in (select ${values} from json_each(${JSON.stringify(keys)}))`;
    },
    async close() {
      connection.close();
    },
  };
}

export async function sqliteTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<{ table: string; column: string; pk: number }>`
    select tables.name as "table", columns.name as "column", columns.pk as pk
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
    order by tables.name, columns.name`.execute(db);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name: name as Table["name"],
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ column }) => column),
  }));
}
