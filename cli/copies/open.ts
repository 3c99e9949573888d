// Selects the copying of a database by the engine in the settings.
import type { Config } from "../../server/config/config.ts";
import type { Copies } from "./copies.ts";

/** Loads only the code of that engine. */
export async function copiesOf(engine: Copies["engine"]): Promise<Copies> {
  if (engine === "postgres") return (await import("./postgres.ts")).postgresCopies;
  return (await import("./sqlite.ts")).sqliteCopies;
}

export function engineOf({ databaseUrl }: Config): Copies["engine"] {
  return databaseUrl === undefined ? "sqlite" : "postgres";
}
