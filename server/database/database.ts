// The interface of a database: reads, snapshots, transactions, inserts. Two engines implement it.
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
  /** Notes about this database for the operator, as sentences. */
  readonly notes: readonly string[];
  /** Reads committed data; each statement sees the latest. */
  readonly read: Db;
  /** For reads that may be some seconds old, where there is a replica. Never for rights. */
  readonly replica?: OldReads | undefined;
  /** Several reads of the same moment. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * All or nothing; durable when the promise resolves. Rejects with InDoubt when the connection was lost during the
   * commit. Where another transaction holds a row for more than a second, it is retried for `heldMs`, or not at all
   * with `once`; then it rejects with an error for which `isHeld` holds. Of the account `whose`, only a few run at a
   * time, so that those which wait for a row leave connections to others. With `once` it uses a pool of its own.
   */
  transaction<T>(work: (db: Db) => Promise<T>, tries?: "once", whose?: string): Promise<T>;
  /** How long work waits for a row that another transaction holds, in milliseconds. */
  readonly heldMs: number;
  /**
   * Inserts rows of one table in few statements, inside the transaction `db`. With `skipTaken`, rows whose key is taken
   * are left out; their first column must then be unique among them. Returns for each row whether it was inserted. When
   * it rejects, some rows may have been inserted: the transaction must fail, too.
   */
  insertRows(db: Db, table: TableName, rows: readonly Row[], skipTaken: boolean): Promise<boolean[]>;
  /** True if writers of one server have to take its row lock. An engine with a single writer does not need that. */
  readonly locksRows: boolean;
  /** Migrates the tables. Throws CannotStart when a newer Hearth has migrated them. */
  migrate(migrations: Record<string, Migration>): Promise<void>;
  /** True if an error means that the database is away or closed, rather than that it rejected a statement. */
  isAway(error: unknown): boolean;
  /** True if an error means that another transaction did not release a row in time; `isAway` holds for it, too. */
  isHeld(error: unknown): boolean;
  /**
   * Calls `hear` when the database begins to refuse writes because of its disk, and with undefined when it accepts them
   * again.
   */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /** Why no writes are accepted, as a sentence that may be shown; undefined while they are. */
  readonly trouble: string | undefined;
  /** Rejects when the database cannot be read. */
  ping(): Promise<void>;
  /** Takes about a second at most, even when the database does not answer. */
  close(): Promise<void>;
}

/** A replica, whose data is some seconds old. */
export interface OldReads {
  /** Why the replica is not used, as a sentence; undefined while it is. */
  readonly trouble: string | undefined;
  /** Starts to use the replica. `hear` gets the reason when it is no longer used, and undefined when it is again. */
  start(hear: (reason: string | undefined) => void): void;
  /** Milliseconds since 1970 by the database's clock; never ahead of it, and far behind until it is known. */
  now(): number;
  /** Runs the work on the replica, or, when that is away, too far behind or fails, on the primary. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** The connection was lost during a commit: all of it was committed, or nothing. */
export class InDoubt extends Error {
  override name = "InDoubt";
}

/** Stored data can no longer be read. */
export class Damaged extends Error {
  override name = "Damaged";
}
