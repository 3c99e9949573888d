// The doctor's check of a move to the other engine: out of this database, or into it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../server/config/config.ts";
import { expectHome } from "../server/database/moved.ts";
import { type Finding, finding, reason } from "../server/house/check.ts";
import type { End } from "./moving/end.ts";
import { moveOf } from "./moving/journal.ts";
import { sqliteEnd } from "./moving/sqlite.ts";

const about = "move";
const begun =
  "A move out of this database was begun: it is under way, or was broken off. The same hearth migrate goes on from there; hearth migrate --stay gives it up.";

/** Undefined without a trace of a move, and when no database answers, which another check reports. */
export async function checkMove(config: Config): Promise<Finding | undefined> {
  const end = await endOf(config).catch(() => undefined);
  if (!end) return undefined;
  try {
    await expectHome(end.db);
    return (await moveOf(end)) === undefined ? undefined : finding(about, "note", begun);
  } catch (error) {
    return finding(about, "wrong", `${reason(error)}.`);
  } finally {
    await end.close();
  }
}

async function endOf({ databaseUrl, dataDir }: Config): Promise<End | undefined> {
  const file = join(dataDir, "hearth.db");
  if (databaseUrl === undefined) return existsSync(file) ? sqliteEnd(file, "source") : undefined;
  const { postgresEnd } = await import("./moving/postgres.ts");
  return postgresEnd(databaseUrl, "source");
}
