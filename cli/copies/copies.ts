// How a database of either engine goes into a backup as one file, and comes out of it again.
import type { Config } from "../../server/config/config.ts";
import type { TableSums } from "../moving/sums.ts";

export interface Copies {
  readonly engine: "sqlite" | "postgres";
  /** The name of the copy in a backup. */
  readonly filename: string;
  /**
   * Writes the state of one moment into a new file while a server uses the database, without holding up its writers.
   * Returns what its tables hold. Throws CannotStart for a database that has moved, or that a move has not filled yet.
   */
  make(config: Config, file: string): Promise<TableSums>;
  /**
   * Restores the copy where nobody uses it, and returns what its tables hold then; a sentence where there is no place
   * for that.
   */
  tryOut(config: Config, file: string): Promise<TableSums | string>;
  /** Reads the facts that a copy holds. */
  look(file: string): Promise<CopyFacts>;
  /** Returns those of these uploads that the database names by now. */
  stillNamed(config: Config, filenames: readonly string[]): Promise<Set<string>>;
  /** The faults of a copy, a sentence each. */
  trouble(file: string): Promise<string[]>;
  /** Throws CannotStart when something there could be overwritten. No server is in the way until the claim is released. */
  claim(config: Config): Promise<Claim>;
}

interface CopyFacts {
  migrations: string[];
  /** Sizes of the uploads that the copy names, by filename. */
  uploads: Map<string, number>;
}

interface Claim {
  /** Makes the copy the database. Its log gets a new epoch, so that clients load afresh. */
  fill(file: string): Promise<void>;
  release(): Promise<void>;
}
