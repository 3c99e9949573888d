// Checks that nothing happened: compares every table before and after, and listens on sockets meanwhile.
import { sql } from "kysely";
import type { TableName } from "../../server/database/database.ts";
import type { TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { stored } from "../house/scenes/read-states.ts";

type Row = Readonly<Record<string, unknown>>;

interface Trace {
  changed: string[];
  heard: string[];
}

/** Tables whose rows are swept once the row that a column refers to is gone, in the order of the sweep. */
const swept = [
  ["messages", "channel_id", "channels"],
  ["reactions", "message_id", "messages"],
  ["reaction_counts", "message_id", "messages"],
  ["members", "server_id", "servers"],
  ["member_roles", "role_id", "roles"],
  ["bans", "server_id", "servers"],
  ["invites", "server_id", "servers"],
  ["read_markers", "channel_id", "channels"],
  ["mentions", "message_id", "messages"],
  ["rsvps", "event_id", "scheduled_events"],
] as const;

export class Witness {
  readonly #house: TestHouse;
  readonly #ears: readonly Ear[];
  readonly #tables: readonly string[];

  private constructor(house: TestHouse, ears: readonly Ear[], tables: readonly string[]) {
    this.#house = house;
    this.#ears = ears;
    this.#tables = tables;
  }

  static async call(house: TestHouse, ...listeners: TestPerson[]): Promise<Witness> {
    const ears: Ear[] = [];
    for (const listener of listeners) ears.push(await listener.listen());
    const tables = await house.running.house.database.read.introspection.getTables();
    return new Witness(
      house,
      ears,
      // `streams` has the head of every log, so `events` need not be compared.
      tables.map(({ name }) => name).filter((name) => name !== "events"),
    );
  }

  /**
   * Returns the tables that changed and the frames that arrived while `calls` ran. A frame of an earlier change may
   * be late, but a frame that the calls cause arrives every time: so if only frames came, the calls are made again.
   */
  async watch(calls: () => Promise<void>): Promise<Trace> {
    let trace = await this.#once(calls);
    for (let i = 0; i < 3 && trace.heard.length > 0 && trace.changed.length === 0; i++) {
      trace = await this.#once(calls);
    }
    return trace;
  }

  async #once(calls: () => Promise<void>): Promise<Trace> {
    // Earlier read markers are stored within a second.
    await stored(this.#house);
    await this.#settle();
    const heardBefore = this.#ears.map((ear) => ear.frames.length);
    const before = await this.#dump();
    await calls();
    const after = await this.#dump();
    await this.#settle();
    return {
      changed: [...after].filter(([table, rows]) => before.get(table) !== rows).map(([table]) => table),
      heard: this.#ears.flatMap((ear, i) =>
        ear.frames
          .slice(heardBefore[i])
          .map((frame) => frame.type)
          .filter((type) => type !== "PONG"),
      ),
    };
  }

  leave(): void {
    for (const ear of this.#ears) ear.close();
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#ears.map((ear) => ear.settle()));
  }

  // Background work of the server is left out: sweeps after deletions, the time of each session's last use, each
  // process's heartbeat, and the time when the listeners last sent something.
  async #dump(): Promise<Map<string, string>> {
    const dump = await rowsOf(this.#house, this.#tables);
    for (const table of ["sweeps", "processes", "connections"]) dump.delete(table);
    dump.set("channels", dump.get("channels")?.filter((row) => row.deleted_at === null) ?? []);
    for (const [table, column, of] of swept) {
      const there = new Set(dump.get(of)?.map((row) => row.id));
      dump.set(table, dump.get(table)?.filter((row) => there.has(row[column])) ?? []);
    }
    dump.set("sessions", dump.get("sessions")?.map(({ last_used_at: _, ...row }) => row) ?? []);
    return new Map(
      [...dump].map(([table, rows]) => [
        table,
        rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join("\n"),
      ]),
    );
  }
}

/** All rows, by table. */
async function rowsOf(house: TestHouse, tables: readonly string[]): Promise<Map<string, readonly Row[]>> {
  const db = house.running.house.database.read;
  if (house.engine === "SQLite") {
    const rows = tables.map((table) =>
      db
        .selectFrom(table as TableName)
        .selectAll()
        .execute(),
    );
    return new Map((await Promise.all(rows)).map((rows, i) => [tables[i] ?? "", rows as readonly Row[]]));
  }
  // In one query: this runs hundreds of times, and there are dozens of tables.
  const parts = tables.map(
    (table) =>
      sql`select ${table}::text as name, coalesce(json_agg(each)::text, '[]') as rows from ${sql.table(table)} as each`,
  );
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  );
  return new Map(rows.map(({ name, rows }) => [name, JSON.parse(rows)]));
}
