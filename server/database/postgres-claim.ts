// The claim of one process on a PostgreSQL database, held by a transaction that ends with the process, also through a pooler.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AlreadyRunning, CannotStart } from "../cannot-start.ts";
import { deadline } from "../deadline.ts";
import { codeOf, isRefusal } from "./postgres-errors.ts";
import type { Connections } from "./postgres-pool.ts";
import { needNewEnough } from "./postgres-version.ts";

/** An arbitrary key of the advisory lock, the same for every Hearth. */
const claimKey = 4_327_841;
/** PostgreSQL notices within so many tries that the process of an older connection was killed. */
const claimTries = 20;
const claimPauseMs = 100;
const againMs = 1000;

const inTime = deadline(5000, () => new Error("it does not answer"));

/** Lets only one process use a database where each trusts its caches alone. */
export class Claim {
  readonly #url: string;
  readonly #connections: Connections;
  /** Whether others are kept out; processes that hear each other share the database. */
  readonly #isExclusive: boolean;
  /** The name of this process's connections, which tells them from those of others. */
  readonly #name = `hearth ${randomUUID()}`;
  readonly #lost = Promise.withResolvers<void>();
  #client: pg.Client | undefined;
  #released = false;

  constructor(url: string, connections: Connections, isExclusive: boolean) {
    this.#url = url;
    this.#connections = connections;
    this.#isExclusive = isExclusive;
  }

  /** Resolves when the connection was lost and another process took the lock first. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /**
   * Returns what `ask` returns. Throws CannotStart when the database does not answer or another process has the lock.
   */
  async take<T>(ask: (client: pg.Client) => Promise<T>): Promise<T> {
    try {
      const client = await this.#connect();
      await inTime(needNewEnough(client));
      const learnt = await inTime(ask(client));
      if (!this.#isExclusive) {
        await this.release();
        return learnt;
      }
      if (await this.#lock(client)) return learnt;
    } catch (error) {
      await this.release();
      if (error instanceof CannotStart) throw error;
      const says = (error as Error).message || "connection refused";
      const what = isRefusal(error) ? "refuses" : "does not answer";
      throw new CannotStart(`The database in DATABASE_URL ${what}: ${says}.`);
    }
    await this.release();
    throw new AlreadyRunning("Another Hearth is running on the database in DATABASE_URL. Stop it first.");
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client?.end().catch(() => {});
  }

  /** A server without a free connection may still be clearing up after a process that was killed. */
  async #connect(): Promise<pg.Client> {
    for (let tries = 1; ; tries++) {
      const client = new pg.Client({
        connectionString: this.#url,
        application_name: this.#name,
        connectionTimeoutMillis: 5000,
        stream: this.#connections.stream,
        // This connection is silent for days: keep-alive notices when the network to the server breaks.
        keepAlive: true,
        keepAliveInitialDelayMillis: 30_000,
      });
      // A connection that is cut emits two errors; without a listener the second would end the process.
      client.on("error", () => {});
      try {
        await client.connect();
        this.#client = client;
        return client;
      } catch (error) {
        if (codeOf(error) !== "53300" || tries >= claimTries) throw error;
        await sleep(claimPauseMs);
      }
    }
  }

  /** False when another process has the lock. */
  async #lock(client: pg.Client): Promise<boolean> {
    for (let tries = 0; tries < claimTries; tries++) {
      // Of a lock that a session holds a pooler knows nothing. This transaction has no snapshot that would keep old rows.
      await inTime(client.query("begin; set local idle_in_transaction_session_timeout = 0"));
      const { rows } = await inTime(client.query("select pg_try_advisory_xact_lock($1) as mine", [claimKey]));
      if (rows[0]?.mine) {
        client.once("end", () => this.#takeAgain());
        return true;
      }
      await inTime(client.query("rollback"));
      await inTime(client.query(endGhost, [claimKey, this.#name]));
      await sleep(claimPauseMs);
    }
    return false;
  }

  async #takeAgain(): Promise<void> {
    while (!this.#released) {
      await sleep(againMs);
      const client = this.#released ? undefined : await this.#connect().catch(() => undefined);
      if (!client) continue;
      try {
        if (!(await this.#lock(client))) this.#lost.resolve();
        return;
      } catch {
        void client.end().catch(() => {});
      }
    }
  }
}

/** Ends connections of ours that broke on the network but are still open on the server, which can last hours. */
const endGhost = `
  select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and objid = $1 and granted and application_name = $2 and pid <> pg_backend_pid()`;
