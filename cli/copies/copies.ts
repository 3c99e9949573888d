// How a database goes into a backup as one file and comes out of it, whichever engine it is of.
import type { Config } from "../../server/config/config.ts";

export interface Copies {
  readonly engine: "sqlite" | "postgres";
  /** What a copy is called in a backup. */
  readonly filename: string;
  /** Writes the state of one moment into a new file, while a server uses the database. Nobody waits for it. */
  make(config: Config, file: string): Promise<void>;
  /** What a copy holds. */
  look(file: string): Promise<CopyFacts>;
  /** What is wrong with a copy, a sentence each. */
  trouble(file: string): Promise<string[]>;
  /** Keeps every server away until it is released. Throws CannotStart unless there is nothing that could be overwritten. */
  claim(config: Config): Promise<Claim>;
}

export interface CopyFacts {
  migrations: string[];
  /** Bytes of each upload that it names, by filename. */
  uploads: Map<string, number>;
}

export interface Claim {
  /** The copy becomes the database, whose log has another epoch than before, so that clients load afresh. */
  fill(file: string): Promise<void>;
  release(): Promise<void>;
}
