// Writes rows straight into the embedded database while no server runs: copies of rows that the server made itself.
import { Database } from "bun:sqlite";
import { join } from "node:path";

type Value = string | number | null;
export type Row = Record<string, Value>;

/**
 * Copies rows that came through the public interface instead of knowing the schema, so it also fills the databases of
 * other checkouts, as long as the columns that it changes exist.
 */
export class Filler implements Disposable {
  readonly #database: Database;

  constructor(dataDir: string) {
    this.#database = new Database(join(dataDir, "hearth.db"), { strict: true });
    // A failed filler starts over from scratch, so a rollback journal would be wasted work.
    this.#database.run("pragma journal_mode = off");
    this.#database.run("pragma synchronous = off");
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Returns the first row that matches. Throws when there is none. */
  row(table: string, where: Row): Row {
    const [first] = this.rows(table, where);
    if (!first) throw new Error(`no row of ${table} has ${JSON.stringify(where)}`);
    return first;
  }

  rows(table: string, where: Row): Row[] {
    const names = Object.keys(where);
    const condition = names.map((name) => `${name} = ?`).join(" and ") || "true";
    return this.#database
      .query(`select * from ${table} where ${condition}`)
      .all(...Object.values(where)) as Row[];
  }

  /** Inserts copies of `model`, each with its values in `own`. */
  copies(table: string, model: Row, own: Iterable<Row>): void {
    const columns = Object.keys(model);
    const insert = this.#database.prepare(
      `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    this.#database.transaction(() => {
      for (const values of own)
        insert.run(...columns.map((column) => values[column] ?? model[column] ?? null));
    })();
    insert.finalize();
  }

  change(table: string, where: Row, changes: Row): void {
    const listed = (row: Row, by: string) =>
      Object.keys(row)
        .map((name) => `${name} = ?`)
        .join(by);
    this.#database
      .query(`update ${table} set ${listed(changes, ", ")} where ${listed(where, " and ")}`)
      .run(...Object.values(changes), ...Object.values(where));
  }

  /** Inserts accounts, called `name` and a number. Returns their ids. */
  people(name: string, count: number): string[] {
    const model = this.row("users", { instance_role: "member", is_bot: 0 });
    const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
    this.copies(
      "users",
      model,
      ids.map((id, index) => {
        const username = `${name}${index}`;
        const email = `${username}@bench.invalid`;
        return { id, username, username_key: username, email, email_key: email };
      }),
    );
    return ids;
  }

  join(serverId: string, userIds: readonly string[]): void {
    const server = this.row("servers", { id: serverId });
    const model = this.row("members", { server_id: serverId });
    this.copies(
      "members",
      model,
      userIds.map((user_id) => ({ user_id })),
    );
    this.change("servers", { id: serverId }, { member_count: Number(server.member_count) + userIds.length });
  }

  /** Copies a server with its roles, channels and members, but without its log. */
  copyServer(serverId: string): void {
    const ids = new Map<Value, string>([[serverId, Bun.randomUUIDv7()]]);
    const copy = (row: Row): Row => {
      if (row.id) ids.set(row.id, ids.get(row.id) ?? Bun.randomUUIDv7());
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, ids.get(value) ?? value]));
    };
    this.copies("servers", this.row("servers", { id: serverId }), [
      copy(this.row("servers", { id: serverId })),
    ]);
    for (const table of this.#tablesOfServers()) {
      for (const row of this.rows(table, { server_id: serverId })) this.copies(table, row, [copy(row)]);
    }
    const [stream] = this.rows("streams", this.streamOf(serverId));
    if (stream?.stream) this.copies("streams", stream, [this.streamOf(String(ids.get(serverId)))]);
  }

  /** Returns the columns that identify a server's log: older versions use the server's id alone. */
  streamOf(serverId: string): Row {
    const { columns = [] } = this.#tables().find(({ table }) => table === "streams") ?? {};
    return columns.includes("stream") ? { stream: `server:${serverId}` } : { server_id: serverId };
  }

  /**
   * Adds `more` to every counter of `id` that stands at 1. A counter is a column whose name, or whose table's name,
   * contains "count".
   */
  raiseCounts(id: string, more: number): void {
    for (const { table, columns } of this.#tables()) {
      for (const key of columns.filter((column) => column === "id" || column.endsWith("_id"))) {
        for (const counted of columns.filter((column) => /count/.test(column) || /count/.test(table))) {
          this.#database
            .query(`update ${table} set ${counted} = ${counted} + ? where ${key} = ? and ${counted} = 1`)
            .run(more, id);
        }
      }
    }
  }

  #tablesOfServers(): string[] {
    const withLog = this.#tables().filter(({ columns }) => columns.includes("server_id"));
    return withLog.map(({ table }) => table).filter((table) => table !== "events");
  }

  #tables(): { table: string; columns: string[] }[] {
    const tables = this.#database.query("select name from sqlite_master where type = 'table'").all() as {
      name: string;
    }[];
    return tables.map(({ name }) => {
      const columns = this.#database.query(`pragma table_info(${name})`).all() as { name: string }[];
      return { table: name, columns: columns.map((column) => column.name) };
    });
  }
}
