// A pool of connections to PostgreSQL: who finds none waits, and one on which an answer does not come is cut off.
import { Socket } from "node:net";
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { deadline } from "../deadline.ts";
import { codeOf, isReadOnly } from "./postgres-errors.ts";
import type { Tables } from "./tables.ts";

/** Connecting and signing in. */
const connectMs = 5000;
/** A statement that waits for a lock, and a request that waits for a connection, may do so for this long. */
const patienceMs = 15_000;
/** The server gives a statement up first, which leaves the connection whole. */
const statementMs = 14_000;
/** When the server has no room, the pools make do with the connections that they have, for this long. */
const roomAgainMs = 10_000;
const pauseMs = 100;

class Silence extends Error {
  readonly code = "ETIMEDOUT";
}

const inTime = deadline(patienceMs, () => new Silence("PostgreSQL did not answer a statement"));

/** All connections of a house: they share what room there is, and can be cut whatever the other side does. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #pools: PatientPool[] = [];

  /** What pg asks for when it makes a connection. */
  readonly stream = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  pool(url: string, size: number): PostgresPool {
    const pool = new PatientPool(url, this, size);
    this.#pools.push(pool);
    return pool;
  }

  /** The server has no room for another: each pool makes do with its part of those that there are. */
  makeDo(): void {
    const count = this.#pools.reduce((sum, pool) => sum + pool.count, 0);
    for (const pool of this.#pools) pool.makeDo(Math.max(1, Math.floor(count / this.#pools.length)));
  }

  cutAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

export function openPool(url: string, connections: Connections, size: number): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections.pool(url, size) }) });
}

/** For the steps that bring tables up to date, which may take as long as they take. */
export function openUnbounded(url: string, connections: Connections): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: makePool(url, connections, { max: 2 }) }),
  });
}

function makePool(url: string, connections: Connections, more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, stream: connections.stream, Client, types, ...more });
  // An idle connection that breaks is replaced by the pool; the next request hears of it if the database stays away.
  pool.on("error", () => {});
  // One that breaks while it is in use says so to its next statement; unheard, its event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The pool has one limit for connecting and for waiting until one is free; connecting takes less. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: connectMs });
  }
}

class PatientPool implements PostgresPool {
  readonly #connections: Connections;
  readonly #pool: pg.Pool;
  readonly #size: number;

  constructor(url: string, connections: Connections, size: number) {
    this.#connections = connections;
    this.#size = size;
    this.#pool = makePool(url, connections, {
      max: size,
      connectionTimeoutMillis: patienceMs,
      onConnect: (client) => inTime(client.query(`set statement_timeout = ${statementMs}`)),
    });
  }

  get count(): number {
    return this.#pool.totalCount;
  }

  async connect(): Promise<PostgresPoolClient> {
    for (const until = performance.now() + patienceMs; ; ) {
      try {
        return new Lease(await this.#pool.connect(), () => this.#hasTooMany);
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

  /** With at most so many, for a while; those beyond are given back as soon as nobody holds them. */
  makeDo(most: number): void {
    const { options, idleCount } = this.#pool;
    const growAgain = () => {
      options.max = this.#size;
    };
    if (options.max === this.#size) setTimeout(growAgain, roomAgainMs).unref();
    options.max = Math.min(options.max, most);
    for (let idle = Math.min(idleCount, this.count - options.max); idle > 0; idle--) {
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
  /** For good, unless it may be used again. */
  release(forGood?: Error | boolean): void;
}

/** A connection for as long as somebody holds it. */
class Lease implements PostgresPoolClient {
  readonly #client: Releasable;
  readonly #isTooMany: () => boolean;
  /** Why it is not used again. */
  #broken: Error | undefined;

  constructor(client: Releasable, isTooMany: () => boolean) {
    this.#client = client;
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
    // The statement may still be running there, so nothing more is said on this connection, not even to roll back.
    if (this.#broken) throw this.#broken;
    try {
      return await inTime(this.#client.query<R>(sql, parameters));
    } catch (error) {
      if (error instanceof Silence || isReadOnly(error)) this.#broken = error as Error;
      throw error;
    }
  }
}

// Numbers of eight bytes hold milliseconds and counters here, all far below 2^53.
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};
