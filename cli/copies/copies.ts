// The interface that copies a database of either engine into a backup, as one file, and restores it.
import type { Config } from "../../server/config/config.ts";
import type { TableSums } from "../moving/sums.ts";

export interface Copies {
  readonly engine: "sqlite" | "postgres";
  /** The name of the copy in a backup. */
  readonly filename: string;
  /**
   * Writes a snapshot into a new file while a server uses the database, without blocking its writers. Returns checksums
   * of its tables. Throws CannotStart for a database that has moved, or that a move has not filled yet.
   */
  make(config: Config, file: string): Promise<TableSums>;
  /**
   * Restores the copy in a trial, where nobody uses it, and returns checksums of its tables; a sentence if there is no
   * place for that.
   */
  tryOut(config: Config, file: string): Promise<TableSums | string>;
  /** Reads the facts that a copy holds. */
  look(file: string): Promise<CopyFacts>;
  /** Returns those of these uploads that the database names now. */
  stillNamed(config: Config, filenames: readonly string[]): Promise<Set<string>>;
  /** Returns the faults of a copy, a sentence each. */
  trouble(file: string): Promise<string[]>;
  /**
   * Reserves the target. Throws CannotStart when something there could be overwritten. No server interferes until the
   * claim is released.
   */
  claim(config: Config): Promise<Claim>;
}

interface CopyFacts {
  migrations: string[];
  /** Sizes of the uploads that the copy names, by filename. */
  uploads: Map<string, number>;
}

interface Claim {
  /** Puts the copy in place as the database. Its log gets a new epoch, so that clients reload. */
  fill(file: string): Promise<void>;
  release(): Promise<void>;
}
