// Leases for recurring work: of several processes one runs each job, and its lease expires soon after the process dies.

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { nowMs } from "../database/postgres-clock.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL only. `until`: milliseconds since 1970 by the database's clock. */
    leases: { name: string; holder: string; until: number };
  }
}

/** How long a lease lasts unless renewed, in milliseconds: the delay of work that a dead process had begun. */
const leaseMs = 10_000;
/** How long a lease is trusted without a query, in milliseconds, and how often long work renews it. */
const renewMs = leaseMs / 3;

export class Leases {
  readonly #database: Database;
  readonly #me = randomUUID();
  /** By name: when the lease was last taken, by a clock that is never set and stops while the machine sleeps. */
  readonly #takenAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs the work if no other process has its lease, renewing it meanwhile. Returns undefined if another has it. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isFresh(name) && !(await this.#take(name))) return undefined;
    const renewing = setInterval(() => {
      // A lease that cannot be renewed may expire: work in two processes at once is safe through row locks.
      this.#take(name).catch(() => {});
    }, renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  #isFresh(name: string): boolean {
    return performance.now() - (this.#takenAt.get(name) ?? Number.NEGATIVE_INFINITY) < renewMs;
  }

  async #take(name: string): Promise<boolean> {
    const begun = performance.now();
    this.#takenAt.delete(name);
    const until = sql<number>`${nowMs} + ${leaseMs}`;
    const { rows } = await sql`
      insert into leases as held (name, holder, until) values (${name}, ${this.#me}, ${until})
      on conflict (name) do update set holder = ${this.#me}, until = ${until}
      where held.holder = ${this.#me} or held.until < ${nowMs}
      returning name`.execute(this.#database.read);
    if (rows.length === 0) return false;
    this.#takenAt.set(name, begun);
    return true;
  }

  /** Releases this process's leases, so that others can continue at once. */
  async release(): Promise<void> {
    this.#takenAt.clear();
    await this.#database.read.deleteFrom("leases").where("holder", "=", this.#me).execute();
  }
}
