// A PostgreSQL database as an end of a move.
import { type ControlledTransaction, sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { Connections, liftLimits, openUnbounded } from "../../server/database/postgres-pool.ts";
import type { Tables } from "../../server/database/tables.ts";
import type { End, Table } from "./end.ts";

/** An arbitrary key of the advisory lock that a move holds on its target. */
const movingKey = 4_327_841;

/** Throws CannotStart when the database does not answer, and for a target also when another move is under way there. */
export async function postgresEnd(url: string, role: "source" | "target"): Promise<End> {
  const database = await openPostgres(url);
  const connections = new Connections();
  const db = openUnbounded(url, connections);
  const hold = role === "target" ? await holdAlone(db) : undefined;
  const types = new Map<string, string>();
  return {
    engine: "postgres",
    db,
    name: withoutPassword(url),
    async tables() {
      const columns = await columnsOf(db);
      for (const { table, column, type } of columns) types.set(`${table}.${column}`, type);
      return asTables(columns);
    },
    snapshot: (work) => atOneMoment(db, work),
    // The transaction is idle while the other end is read or written.
    transaction: (work) =>
      db.transaction().execute(async (within) => {
        await liftLimits(within);
        return work(within);
      }),
    insert: (within, table, rows, skipTaken) => database.insertRows(within, table, rows, skipTaken),
    picks({ name, key }, keys) {
      const columns = sql.join(key.map((column) => sql.ref(column)));
      const arrays = key.map((column, i) => {
        const type = sql.raw(types.get(`${name}.${column}`) ?? "text");
        return sql`${keys.map((each) => each[i])}::${type}[]`;
      });
      return sql`(${columns}) in (select * from unnest(${sql.join(arrays)}))`;
    },
    async close() {
      await hold?.rollback().execute();
      await db.destroy();
      connections.cutAll();
      await database.close();
    },
  };
}

/** All reads of `work` see the same snapshot of the database, however long it takes. */
export function atOneMoment<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (within) => {
      await liftLimits(within);
      return work(within);
    });
}

export async function postgresTables(db: Db): Promise<Table[]> {
  return asTables(await columnsOf(db));
}

function asTables(all: readonly Column[]): Table[] {
  return [...Map.groupBy(all, ({ table }) => table)].map(([name, columns]) => {
    const names = columns.map(({ column }) => column);
    const key = columns
      .filter(({ place }) => place !== null)
      .sort((a, b) => Number(a.place) - Number(b.place))
      .map(({ column }) => column);
    // A table without a primary key has only one row: all its columns serve as the key.
    return { name: name as Table["name"], columns: names, key: key.length > 0 ? key : names };
  });
}

/** Takes the lock in a transaction of its own, whose connection a pooler lends to nobody else. */
async function holdAlone(db: Db): Promise<ControlledTransaction<Tables>> {
  const hold = await db.startTransaction().execute();
  await liftLimits(hold);
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${movingKey}) as mine`.execute(hold);
  if (!rows[0]?.mine) throw new CannotStart("Another hearth migrate fills the database in DATABASE_URL.");
  return hold;
}

interface Column {
  table: string;
  column: string;
  type: string;
  /** The column's position in the primary key; null if it is not part of it. */
  place: number | null;
}

async function columnsOf(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select relname as "table", attname as "column", format_type(atttypid, atttypmod) as type,
      array_position(indkey::int2[], attnum) as place
    from pg_class join pg_attribute on attrelid = pg_class.oid
    left join pg_index on indrelid = pg_class.oid and indisprimary
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
    order by relname collate "C", attname collate "C"`.execute(db);
  return rows;
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  return `PostgreSQL, database ${decodeURIComponent(url.pathname.slice(1)) || url.username} at ${url.host || "this machine"}`;
}
