// What the rest of the house knows of a database: reads, snapshots, transactions, appends. Two engines stand behind it.
import type { Kysely, Migration } from "kysely";
import type { Tables } from "./tables.ts";
import type { Trouble } from "./write-gate.ts";

export type Db = Kysely<Tables>;

export type TableName = keyof Tables & string;

/** A row to insert: all columns of its table, always. */
export type Row = Readonly<Record<string, string | number | null>>;

export interface Append {
  table: TableName;
  row: Row;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** What whoever runs the server should know of it, in sentences. */
  readonly notes: readonly string[];
  /** Committed data, statement by statement. */
  readonly read: Db;
  /** Several reads of one moment. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** All or nothing; durable when the promise resolves. Rejects with InDoubt when only the log can tell which. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Inserts rows of one table in few statements, inside the transaction `db`. With `skipTaken`, rows whose key is
   * taken are left out; their first column then tells the rows apart. Answers which rows went in.
   */
  insertRows(db: Db, table: TableName, rows: readonly Row[], skipTaken: boolean): Promise<boolean[]>;
  /** Whether writers of one server have to take its row lock; where there is one writer at all, they need not. */
  readonly locksRows: boolean;
  /** Brings the tables up to date. Throws CannotStart when they come from a newer Hearth. */
  migrate(migrations: Record<string, Migration>): Promise<void>;
  /** Whether an error means that the database is away, as opposed to having refused a statement. */
  isAway(error: unknown): boolean;
  /** Tells when it begins to refuse writes because of the disk under it, and (undefined) when it takes them again. */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /** Rejects when it does not answer; with StorageFault, whose message may be shown, when it takes no writes. */
  ping(): Promise<void>;
  /** Resolves when another process has the data: what this one remembers is no longer true. */
  readonly takenOver: Promise<void>;
  /** Takes about a second at most, whatever the other side does. */
  close(): Promise<void>;
}

/** The database went away while it committed: all is done, or nothing. */
export class InDoubt extends Error {
  override name = "InDoubt";
}

/** What was stored before cannot be read any more. */
export class Damaged extends Error {
  override name = "Damaged";
}
