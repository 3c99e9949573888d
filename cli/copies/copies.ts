// How a database of either engine goes into a backup as one file, and comes out of it again.
import type { Config } from "../../server/config/config.ts";

export interface Copies {
  readonly engine: "sqlite" | "postgres";
  /** The name of the copy in a backup. */
  readonly filename: string;
  /**
   * Writes the state of one moment into a new file while a server uses the database, without holding up its writers.
   */
  make(config: Config, file: string): Promise<void>;
  /** Reads the facts that a copy holds. */
  look(file: string): Promise<CopyFacts>;
  /** The faults of a copy, a sentence each. */
  trouble(file: string): Promise<string[]>;
  /** Keeps servers away until the claim is released. Throws CannotStart when something there could be overwritten. */
  claim(config: Config): Promise<Claim>;
}

export interface CopyFacts {
  migrations: string[];
  /** Sizes of the uploads that the copy names, by filename. */
  uploads: Map<string, number>;
}

export interface Claim {
  /** Makes the copy the database. Its log gets a new epoch, so that clients load afresh. */
  fill(file: string): Promise<void>;
  release(): Promise<void>;
}
