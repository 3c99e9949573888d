// Compares the connections that Hearth needs with those that PostgreSQL grants, and divides fewer among the pools.
import type pg from "pg";

/**
 * Connections of each pool. Shared commits run one at a time, with one beside them for held streams (commit-apart.ts).
 * Of long snapshots only one runs at a time (gateway/turns.ts).
 */
const poolSizes = { shared: 3, transactions: 7, lookUps: 10, snapshots: 4 } as const;

type PoolSizes = Record<keyof typeof poolSizes, number>;

const names = Object.keys(poolSizes) as (keyof typeof poolSizes)[];
export const connectionsNeeded = names.reduce((sum, name) => sum + poolSizes[name], 0);
/** The minimum: with fewer, work that holds a connection and looks something up through another would deadlock. */
export const fewestConnections = names.length;

/** The lowest of the limits of the server, the database and the role. */
export async function connectionsGranted(client: pg.Client): Promise<number> {
  const { rows } = await client.query<Record<"server" | "role" | "database", number>>(`
    select
      current_setting('max_connections')::int - case when rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end as server,
      case when rolsuper then -1 else rolconnlimit end as role,
      case when rolsuper then -1 else datconnlimit end as database
    from pg_roles, pg_database where rolname = session_user and datname = current_database()`);
  // -1 means no limit.
  return Math.min(...rows.flatMap((row) => Object.values(row)).filter((limit) => limit >= 0));
}

/** The largest sizes that the pools can have, each at least one. */
export function sizesWithin(granted: number): PoolSizes {
  const share = Math.min(1, granted / connectionsNeeded);
  const size = (name: keyof typeof poolSizes) => Math.max(1, Math.floor(poolSizes[name] * share));
  return {
    shared: size("shared"),
    transactions: size("transactions"),
    lookUps: size("lookUps"),
    snapshots: size("snapshots"),
  };
}

/** The shortage as a sentence for the operator; undefined when there are enough connections. */
export function shortage(granted: number): string | undefined {
  if (granted >= connectionsNeeded) return undefined;
  return `Hearth needs ${connectionsNeeded} connections to PostgreSQL, and ${granted} are granted (max_connections without those reserved, or CONNECTION LIMIT of the role or the database): ${
    granted < fewestConnections ? "it cannot run with so few." : "under load requests wait for each other."
  }`;
}
