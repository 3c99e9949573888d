// Which PostgreSQL Hearth runs on, and facts about one: its version, its clock, and whether a pooler is in front of it.
import pg from "pg";
import { CannotStart } from "../cannot-start.ts";

/** Older versions are no longer supported by the PostgreSQL project. */
const oldestVersion = 14;

/** Throws CannotStart with a sentence when the server is too old, or its encoding is not UTF8. */
export async function needSuitable(client: pg.Client): Promise<void> {
  const version = await settingOf(client, "version");
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new CannotStart(
      `The database in DATABASE_URL is PostgreSQL ${version}, and version ${oldestVersion} or newer is needed.`,
    );
  const encoding = await settingOf(client, "encoding");
  if (encoding === "UTF8") return;
  const { database = "hearth", user = "hearth" } = client;
  throw new CannotStart(
    `The database in DATABASE_URL keeps texts as ${encoding}, which has not all letters and no emoji: it must be UTF8. createdb --owner ${user} --encoding UTF8 --template template0 ${database}_utf8 makes one; name that.`,
  );
}

async function settingOf(client: pg.Client, name: "version" | "encoding"): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(
    `select current_setting('server_${name}') as ${name}`,
  );
  return rows[0]?.[name] ?? "";
}

/** Returns the result of `ask`, over a connection of its own. Throws PostgreSQL's error when it cannot sign in. */
export async function askOnce<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

/** The server's version, and whether a pooler is in front of it: a pooler has its own ids for connections. */
export async function describePostgres(client: pg.Client): Promise<{ version: string; isPooled: boolean }> {
  await needSuitable(client);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const { processID } = client as pg.Client & { processID: number | null };
  return { version: await settingOf(client, "version"), isPooled: processID !== rows[0]?.pid };
}

/** The time of the server's clock, in milliseconds since 1970. */
export function timeOfPostgres(url: string): Promise<number> {
  return askOnce(url, async (client) => {
    const { rows } = await client.query<{ now: number }>(
      "select extract(epoch from clock_timestamp())::float8 * 1000 as now",
    );
    return rows[0]?.now ?? Number.NaN;
  });
}
