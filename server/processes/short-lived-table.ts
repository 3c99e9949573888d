// Short-lived values of several processes: rows of their shared database, which expire by its clock.
import { type RawBuilder, sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import type { Job } from "../house/feature.ts";
import type { Kind, ShortLived } from "../house/short-lived.ts";
import { Queue } from "../queue.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL only. Each row also has its time of expiry, which the database computes. */
    short_lived: { kind: string; key: string; value: string };
  }
}

/**
 * After `most` divided by this many puts, a process deletes what exceeds `most`: counting at each put would cost more
 * than the put, and each process adds no more than that in between.
 */
const partOfMost = 100;
/** Rows deleted at once. */
const deletedAtOnce = 5000;

/** Concurrent changes: each holds a connection, even while it waits for another, and posts need some, too. */
const changesAtOnce = 2;

const isLive = sql`until > clock_timestamp()`;

interface Row {
  value: string | null;
}

export class TableShortLived<V> implements ShortLived<V> {
  readonly #database: Database;
  readonly #kind: Kind;
  readonly #tidiesEvery: number;
  readonly #changes = new Queue({ atOnce: changesAtOnce });
  #puts = 0;

  constructor(database: Database, kind: Kind) {
    this.#database = database;
    this.#kind = kind;
    this.#tidiesEvery = Math.max(1, Math.floor(kind.most / partOfMost));
  }

  put(key: string, value: V): Promise<void> {
    return this.#put(this.#database.read, key, value);
  }

  async peek(key: string): Promise<V | undefined> {
    const { rows } = await sql<Row>`
      select value from short_lived where ${this.#is(key)} and ${isLive}`.execute(this.#database.read);
    return this.#valueIn(rows[0]);
  }

  async take(key: string): Promise<V | undefined> {
    const { rows } = await sql<Row>`
      delete from short_lived where ${this.#is(key)}
      returning case when ${isLive} then value end as value`.execute(this.#database.read);
    return this.#valueIn(rows[0]);
  }

  change(key: string, next: (known: V | undefined, now: number) => V | undefined): Promise<void> {
    return this.#changes.run(() => this.#database.transaction((db) => this.#change(db, key, next)));
  }

  async #change(
    db: Db,
    key: string,
    next: (known: V | undefined, now: number) => V | undefined,
  ): Promise<void> {
    // An advisory lock, as a key without a row has no row to lock.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${this.#kind.name} ${key}`}, 0))`.execute(db);
    const { rows } = await sql<Row & { now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
        (select value from short_lived where ${this.#is(key)} and ${isLive} for update) as value`.execute(db);
    const value = next(this.#valueIn(rows[0]), rows[0]!.now);
    if (value !== undefined) await this.#put(db, key, value);
  }

  async values(beginning: string): Promise<V[]> {
    // A range of keys, which are adjacent in the index.
    const { rows } = await sql<Row>`
      select value from short_lived where kind = ${this.#kind.name}
        and key >= ${beginning} and key < ${`${beginning}\u{10ffff}`} and ${isLive}
      order by until limit ${this.#kind.most}`.execute(this.#database.read);
    return rows.flatMap((row) => this.#valueIn(row) ?? []);
  }

  async clear(): Promise<void> {
    await sql`delete from short_lived where kind = ${this.#kind.name}`.execute(this.#database.read);
  }

  async #put(db: Db, key: string, value: V): Promise<void> {
    const { name, keptMs } = this.#kind;
    await sql`
      insert into short_lived (kind, key, value, until)
      values (${name}, ${key}, ${JSON.stringify(value)}, clock_timestamp() + ${keptMs} * interval '1 millisecond')
      on conflict (kind, key) do update set value = excluded.value, until = excluded.until`.execute(db);
    if (++this.#puts % this.#tidiesEvery === 0) await this.#tidy(db);
  }

  async #tidy(db: Db): Promise<void> {
    const { name, most } = this.#kind;
    await deleteFirst(
      db,
      sql`kind = ${name} and until < (
        select until from short_lived where kind = ${name} order by until desc offset ${most - 1} limit 1)`,
    );
  }

  #is(key: string): RawBuilder<unknown> {
    return sql`kind = ${this.#kind.name} and key = ${key}`;
  }

  #valueIn(row: Row | undefined): V | undefined {
    return row?.value == null ? undefined : (JSON.parse(row.value) as V);
  }
}

/** Deletes some of these rows, the first to expire. Returns how many. */
async function deleteFirst(db: Db, which: RawBuilder<unknown>): Promise<number> {
  // Rows that another process is deleting or changing are skipped, so that no two processes deadlock.
  const { numAffectedRows = 0n } = await sql`
    delete from short_lived where (kind, key) in (
      select kind, key from short_lived where ${which}
      order by until limit ${deletedAtOnce} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

export const forgetEnded: Job = {
  name: "forget what has ended",
  everyMs: 60_000,
  async run({ database }) {
    if (database.engine !== "postgres") return false;
    return (await deleteFirst(database.read, sql`until <= now()`)) === deletedAtOnce;
  },
};
