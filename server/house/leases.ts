// Of several processes one does each piece of recurring work: it holds a lease, which ends soon after the process does.

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { nowMs } from "../database/postgres-clock.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL alone. `until`: milliseconds since 1970 by the clock of the database. */
    leases: { name: string; holder: string; until: number };
  }
}

/** How long a lease lasts unless it is taken again, in milliseconds: so late is work that a dead process had begun. */
export const leaseMs = 10_000;
/** So long after it was taken a lease is believed without asking, and work of many seconds takes it again. */
const renewMs = leaseMs / 3;

export class Leases {
  readonly #database: Database;
  readonly #me = randomUUID();
  /** By name: when the lease was taken last, by a clock that is never set and stands still while the machine sleeps. */
  readonly #takenAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does the work if no other process has its lease, and keeps the lease meanwhile. Returns undefined if another has. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isFresh(name) && !(await this.#take(name))) return undefined;
    const renewing = setInterval(() => {
      // One that cannot be renewed may end: what two processes do at once, they do under row locks.
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

  /** Lets others go on at once. */
  async release(): Promise<void> {
    this.#takenAt.clear();
    await this.#database.read.deleteFrom("leases").where("holder", "=", this.#me).execute();
  }
}
