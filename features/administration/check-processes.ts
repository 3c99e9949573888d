// Checks the processes of this Hearth: how many run, and whether they were started with these settings.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";

/** Undefined with SQLite, which allows only one process, and when none runs. */
export async function checkProcesses(config: Config): Promise<Finding | undefined> {
  const { databaseUrl } = config;
  if (!databaseUrl) return undefined;
  const about = "processes";
  try {
    const { askOnce } = await import("../../server/database/postgres-version.ts");
    const { settingsOfProcesses } = await import("../../server/processes/connections-table.ts");
    const { differing, sumsOf } = await import("../../server/processes/same-settings.ts");
    const others = await askOnce(databaseUrl, settingsOfProcesses);
    if (others.length === 0) return undefined;
    const mine = sumsOf(config);
    const names = [...new Set(others.flatMap((theirs) => differing(mine, theirs)))];
    const count = others.length === 1 ? "One process runs" : `${others.length} processes run`;
    if (names.length === 0) return finding(about, "ok", `${count}, started with these settings.`);
    const says = `${count}, and not all were started with the value here of ${names.join(", ")}: give all the same, and start them again.`;
    return finding(about, "wrong", says);
  } catch (error) {
    // Before the first start of this release, the table or the column does not exist.
    if (["42P01", "42703"].includes(String((error as { code?: unknown }).code))) return undefined;
    return finding(about, "wrong", `They could not be looked at: ${reason(error)}.`);
  }
}
