// The interface of a database: reads, snapshots, transactions, appends. Two engines stand behind it.
import type { Kysely, Migration } from "kysely";
import type { Tables } from "./tables.ts";
import type { Trouble } from "./write-gate.ts";

export type Db = Kysely<Tables>;

export type TableName = keyof Tables & string;

/** A row to insert, with all columns of its table. */
export type Row = Readonly<Record<string, string | number | null>>;

export interface Append {
  table: TableName;
  row: Row;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** Sentences that the operator should know about this database. */
  readonly notes: readonly string[];
  /** Reads committed data; each statement sees the latest. */
  readonly read: Db;
  /** Serves what may be some seconds old, where there is one. Never rights. */
  readonly replica?: OldReads | undefined;
  /** Several reads that see the same moment. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * All or nothing; durable when the promise resolves. Rejects with InDoubt when the connection was lost during the
   * commit. Where another transaction holds a row for more than a second it is tried again for `heldMs`, or not at all
   * with `once`; then it rejects with an error for which `isHeld` holds. Of one account, `whose` they are, few run at a
   * time, so that what waits for a row leaves connections to others. With `once` it has connections of its own.
   */
  transaction<T>(work: (db: Db) => Promise<T>, tries?: "once", whose?: string): Promise<T>;
  /** How long work waits for a row that another transaction holds, in milliseconds. */
  readonly heldMs: number;
  /**
   * Inserts rows of one table in few statements, inside the transaction `db`. With `skipTaken`, rows whose key is taken
   * are left out; their first column then tells the rows apart. Returns for each row whether it went in. When it
   * rejects, some rows may have gone in: the transaction must fail, too.
   */
  insertRows(db: Db, table: TableName, rows: readonly Row[], skipTaken: boolean): Promise<boolean[]>;
  /** Whether writers of one server have to take its row lock. An engine with a single writer does not need that. */
  readonly locksRows: boolean;
  /** Brings the tables up to date. Throws CannotStart when they come from a newer Hearth. */
  migrate(migrations: Record<string, Migration>): Promise<void>;
  /** Whether an error means that the database is away or closed, rather than that it refused a statement. */
  isAway(error: unknown): boolean;
  /** Whether an error means that another transaction did not let go of a row in time; such a database is away, too. */
  isHeld(error: unknown): boolean;
  /**
   * Calls `hear` when the database begins to refuse writes because of its disk, and with undefined when it takes them
   * again.
   */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /** Why no writes are taken, as a sentence that may be shown; undefined while they are. */
  readonly trouble: string | undefined;
  /** Rejects when the database cannot be read. */
  ping(): Promise<void>;
  /** Takes about a second at most, even when the database does not answer. */
  close(): Promise<void>;
}

/** Another database, which has what this one had some seconds ago. */
export interface OldReads {
  /** Why it is not used, as a sentence; undefined while it is. */
  readonly trouble: string | undefined;
  /** It is used from now on. `hear` is told when it is not any more, with the reason, and with undefined when it is again. */
  start(hear: (reason: string | undefined) => void): void;
  /** Milliseconds since 1970 by the clock of this database; at no time ahead of it, and far behind until it is known. */
  now(): number;
  /** Does the work there, or, where that is away, too far behind or fails, here. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** The connection was lost during a commit: all of it is done, or nothing. */
export class InDoubt extends Error {
  override name = "InDoubt";
}

/** Stored data cannot be read any more. */
export class Damaged extends Error {
  override name = "Damaged";
}
