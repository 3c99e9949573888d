// The checks of the data folder, and of the database behind a running server.
import { access, constants, stat } from "node:fs/promises";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, type Running, reason } from "../../server/house/check.ts";
import { askReadiness, noUploads, noWrites, type Readiness } from "../../server/http/readiness.ts";

/** Timeout of a readiness call, longer than the server takes to report a disk that does not answer. */
const readyMs = 12_000;

export async function checkFolder({ dataDir }: Config): Promise<Finding> {
  const about = "data folder";
  try {
    const facts = await stat(dataDir);
    if (!facts.isDirectory()) return finding(about, "wrong", `${dataDir} (DATA_DIR) is no folder.`);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (facts.mode & 0o077)
      return finding(about, "note", `${dataDir} can be read by others; the next start closes it.`);
    return finding(about, "ok", `${dataDir} is ours alone, and can be written to.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return finding(about, "note", `${dataDir} does not exist yet; the first start makes it.`);
    return finding(about, "wrong", `${dataDir} (DATA_DIR) cannot be used: ${reason(error)}.`);
  }
}

/**
 * Checks that the running server reads its database and takes writes, and says why it takes no uploads, if it takes
 * none.
 */
export async function checkDataInUse(running: Running): Promise<Finding[]> {
  const readiness = await readinessHere(running);
  const trouble = readiness.says.find((each) => each.startsWith(noUploads));
  const database = databaseInUse(running, readiness);
  return trouble === undefined ? [database] : [database, finding("uploads taken", "wrong", `${trouble}.`)];
}

async function readinessHere({ url }: Running): Promise<Readiness> {
  try {
    return await askReadiness(url, readyMs);
  } catch (error) {
    return { isReady: false, says: [reason(error)] };
  }
}

function databaseInUse({ engine }: Running, { isReady, says }: Readiness): Finding {
  const about = "database";
  if (!isReady) return finding(about, "wrong", `The running server (${engine}) is not ready: ${says[0]}.`);
  const trouble = says.find((each) => each.startsWith(noWrites));
  return trouble === undefined
    ? finding(about, "ok", `The running server uses it (${engine}) and is ready.`)
    : finding(about, "wrong", `The running server (${engine}) only reads it. ${trouble}.`);
}

/**
 * Checks that the replica answers and follows a primary; undefined when none is set. Only a running server knows its
 * lag.
 */
export async function checkReplica({ databaseReplicaUrl }: Config): Promise<Finding | undefined> {
  if (!databaseReplicaUrl) return undefined;
  const about = "replica";
  try {
    const { isFollowing } = await import("../../server/database/replica.ts");
    return (await isFollowing(databaseReplicaUrl))
      ? finding(about, "ok", "It answers, and follows a PostgreSQL.")
      : finding(about, "wrong", "The PostgreSQL in DATABASE_REPLICA_URL follows no other: it is not used.");
  } catch (error) {
    return finding(about, "wrong", `It does not answer, and is not used: ${reason(error)}.`);
  }
}

/** Checks that PostgreSQL grants all the connections that Hearth uses under load; undefined with SQLite. */
export async function checkConnections({ databaseUrl }: Config): Promise<Finding | undefined> {
  if (!databaseUrl) return undefined;
  const about = "connections";
  try {
    const { askOnce, describePostgres } = await import("../../server/database/postgres-version.ts");
    const limits = await import("../../server/database/postgres-limits.ts");
    return await askOnce(databaseUrl, async (client) => {
      const { version, isPooled } = await describePostgres(client);
      const tooFew = limits.shortage(await limits.connectionsGranted(client));
      if (tooFew !== undefined) return finding(about, "note", tooFew);
      const granted = `PostgreSQL ${version} grants the ${limits.connectionsNeeded} that Hearth needs`;
      if (!isPooled) return finding(about, "ok", `${granted}.`);
      const room = `give that as many for each process (default_pool_size of PgBouncer)`;
      return finding(about, "ok", `${granted}, by way of a pooler: ${room}.`);
    });
  } catch (error) {
    return finding(about, "wrong", `PostgreSQL gives none: ${reason(error)}. Check DATABASE_URL.`);
  }
}
