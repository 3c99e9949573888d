// Chooses how a database is copied, by the engine that the settings name.
import type { Config } from "../../server/config/config.ts";
import type { Copies } from "./copies.ts";

/** Loads the code of one engine only. */
export async function copiesOf(engine: Copies["engine"]): Promise<Copies> {
  if (engine === "postgres") return (await import("./postgres.ts")).postgresCopies;
  return (await import("./sqlite.ts")).sqliteCopies;
}

export function engineOf({ databaseUrl }: Config): Copies["engine"] {
  return databaseUrl === undefined ? "sqlite" : "postgres";
}
