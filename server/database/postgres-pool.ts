// Connection pools for PostgreSQL: requests wait for a free connection, and one that does not answer is closed.
import { Socket } from "node:net";
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from "kysely";
import pg from "pg";
import { deadline } from "../deadline.ts";
import { type Patience, usualPatience } from "./patience.ts";
import { codeOf, isReadOnly } from "./postgres-errors.ts";
import type { Tables } from "./tables.ts";

/** Timeout for connecting and signing in, in milliseconds. */
const connectMs = 5000;
/** PostgreSQL's timeouts for a transaction, by name of the setting, in milliseconds. */
type Limits = Readonly<Record<string, number>>;

export function limitsOfChange({ statementMs, idleMs, lockMs }: Patience): Limits {
  return {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
    lock_timeout: lockMs,
  };
}

/** A snapshot locks no row, and idles during other work's turns, of which a busy process has many between two reads. */
export function limitsOfSnapshot({ statementMs }: Patience): Limits {
  return {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: 60_000,
    lock_timeout: 0,
  };
}

/**
 * The limits are sent with `begin` in one message, which costs no extra round trip, and end with the transaction: a
 * pooler lends the session to others.
 */
function setLocally(limits: Limits): string {
  return Object.entries(limits)
    .map(([name, ms]) => `; set local ${name} = ${ms}`)
    .join("");
}

/** When an idle connection is probed, in milliseconds; the system closes a dead one some 10 s later. */
const keepAliveAfterMs = 5000;
/** How long the pools stay reduced after a refused connection, in milliseconds. */
const roomAgainMs = 10_000;
const pauseMs = 100;

class Silence extends Error {
  readonly code = "ETIMEDOUT";
}

/** All connections of a house: the pools share what the server grants, and all connections can be closed at once. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #pools: PatientPool[] = [];
  /** How long a request waits for a free connection, in milliseconds. */
  readonly patienceMs: number;
  /** Applies the same limit to the answer to a statement. */
  readonly inTime: <T>(answer: Promise<T>) => Promise<T>;

  constructor(patienceMs = usualPatience.answerMs) {
    this.patienceMs = patienceMs;
    this.inTime = deadline(patienceMs, () => new Silence("PostgreSQL did not answer a statement"));
  }

  /** Called by pg when it opens a connection. */
  readonly stream = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  pool(url: string, size: number, limits: Limits): PostgresPool {
    const pool = new PatientPool(url, this, size, limits);
    this.#pools.push(pool);
    return pool;
  }

  /** Reduces each pool to its share of the open connections, after the server refused another one. */
  makeDo(): void {
    const count = this.#pools.reduce((sum, pool) => sum + pool.count, 0);
    for (const pool of this.#pools) pool.makeDo(Math.max(1, Math.floor(count / this.#pools.length)));
  }

  /** Closes idle connections after one did not answer: each may be dead, and cost a request the same timeout. */
  dropIdle(): void {
    for (const pool of this.#pools) pool.dropIdle();
  }

  cutAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** `limits` apply to the pool's transactions. */
export function openPool(
  url: string,
  connections: Connections,
  size: number,
  limits = limitsOfChange(usualPatience),
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections.pool(url, size, limits) }) });
}

/** A pool without time limits, for migrations. */
export function openUnbounded(url: string, connections: Connections): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: makePool(url, connections, { max: 3 }) }),
  });
}

/** Lifts all time limits of the transaction: limits may be set for the role or the database, too. */
export async function liftLimits(db: Kysely<Tables>): Promise<void> {
  await sql`select set_config(name, '0', true) from pg_settings where name in
    ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout', 'transaction_timeout')`.execute(
    db,
  );
}

function makePool(url: string, connections: Connections, more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, stream: connections.stream, Client, types, ...more });
  // The pool replaces an idle connection that breaks; the next request fails if the database stays away.
  pool.on("error", () => {});
  // A connection that breaks in use fails its next statement; without a listener, its event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The pool has one timeout for both connecting and waiting for a free connection; connecting gets a shorter one. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({
      ...config,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
  }
}

class PatientPool implements PostgresPool {
  readonly #connections: Connections;
  readonly #pool: pg.Pool;
  readonly #size: number;
  readonly #bound: string;

  constructor(url: string, connections: Connections, size: number, limits: Limits) {
    this.#connections = connections;
    this.#size = size;
    this.#bound = setLocally(limits);
    this.#pool = makePool(url, connections, {
      max: size,
      connectionTimeoutMillis: connections.patienceMs,
    });
  }

  get count(): number {
    return this.#pool.totalCount;
  }

  async connect(): Promise<PostgresPoolClient> {
    for (const until = performance.now() + this.#connections.patienceMs; ; ) {
      try {
        return new Lease(await this.#pool.connect(), this.#connections, this.#bound, () => this.#hasTooMany);
      } catch (error) {
        if (codeOf(error) !== "53300" || performance.now() > until) throw error;
        this.#connections.makeDo();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Shrinks the pool for a while; connections beyond the limit are closed as soon as they are free. */
  makeDo(most: number): void {
    const { options } = this.#pool;
    const growAgain = () => {
      options.max = this.#size;
    };
    if (options.max === this.#size) setTimeout(growAgain, roomAgainMs).unref();
    options.max = Math.min(options.max, most);
    this.dropIdle(this.count - options.max);
  }

  dropIdle(most = this.count): void {
    for (let idle = Math.min(this.#pool.idleCount, most); idle > 0; idle--) {
      this.#pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  }

  get #hasTooMany(): boolean {
    return this.count > this.#pool.options.max;
  }
}

interface Releasable extends PostgresPoolClient {
  /** Closes the connection with `forGood`, otherwise returns it to the pool. */
  release(forGood?: Error | boolean): void;
}

/** A pooled connection lent to one holder. */
class Lease implements PostgresPoolClient {
  readonly #client: Releasable;
  readonly #connections: Connections;
  /** The statements that follow `begin` and set the transaction's time limits. */
  readonly #bound: string;
  readonly #isTooMany: () => boolean;
  /** The error because of which the connection is not reused. */
  #broken: Error | undefined;

  constructor(client: Releasable, connections: Connections, bound: string, isTooMany: () => boolean) {
    this.#client = client;
    this.#connections = connections;
    this.#bound = bound;
    this.#isTooMany = isTooMany;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== "string") throw new Error("streaming is not used");
    return this.#answer<R>(sql, parameters);
  }

  release(): void {
    this.#client.release(this.#broken ?? this.#isTooMany());
  }

  async #answer<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The statement may still be running, so nothing more is sent on this connection, not even a rollback.
    if (this.#broken) throw this.#broken;
    try {
      const begins = sql === "begin" || sql.startsWith("start transaction");
      const text = begins ? sql + this.#bound : sql;
      return await this.#connections.inTime(this.#client.query<R>(text, parameters));
    } catch (error) {
      if (error instanceof Silence) this.#connections.dropIdle();
      if (error instanceof Silence || isReadOnly(error)) this.#broken = error as Error;
      throw error;
    }
  }
}

// Eight-byte integers arrive as text. Here they are milliseconds and counters, far below 2^53.
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};
