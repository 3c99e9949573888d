// A PostgreSQL replica for reads that may be old: used only while it is known to be close behind, and never relied on.

import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { deadline } from "../deadline.ts";
import type { Db, OldReads } from "./database.ts";
import { nowMs } from "./postgres-clock.ts";
import { Connections, openPool } from "./postgres-pool.ts";

/** How often the replica's lag is measured, and the lag up to which it is used, in milliseconds. */
const lookMs = 1000;
const nearMs = 10_000;
const connectionsUsed = 10;
/** A replica that takes longer costs more than it saves the primary. */
const patienceMs = 1000;

/** The fact that all processes renew on the primary, and read on the replica. */
const heartbeat = "replica_heartbeat";

const inTime = deadline(patienceMs, () => new Error("it does not answer in time"));

export class Replica implements OldReads {
  readonly #primary: Db;
  readonly #db: Db;
  readonly #connections: Connections;
  #hear: (reason: string | undefined) => void = () => {};
  readonly #stop = new AbortController();
  /** Commits from before this moment, by this process's monotonic clock, are on the replica. */
  #nearAt = Number.NEGATIVE_INFINITY;
  /** Offset from this process's monotonic clock to the primary's clock, in milliseconds. */
  #ahead = Number.NEGATIVE_INFINITY;
  #isLost = false;

  constructor(url: string, primary: Db) {
    // The replica's connection limit is no reason for the primary's pools to shrink.
    this.#connections = new Connections();
    this.#db = openPool(url, this.#connections, connectionsUsed);
    this.#primary = primary;
  }

  start(hear: (reason: string | undefined) => void): void {
    this.#hear = hear;
    void this.#run();
  }

  get trouble(): string | undefined {
    return this.#isLost ? "The replica is away or too far behind: the primary serves alone" : undefined;
  }

  now(): number {
    return performance.now() + this.#ahead;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (performance.now() - this.#nearAt < nearMs) {
      try {
        return await inTime(work(this.#db));
      } catch {
        // PostgreSQL cancels a replica's read that conflicts with replication. The next check finds the reason.
        this.#nearAt = Number.NEGATIVE_INFINITY;
      }
    }
    return work(this.#primary);
  }

  close(): void {
    this.#stop.abort();
    void this.#db.destroy().catch(() => {});
    this.#connections.cutAll();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#look();
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const asked = performance.now();
    let primary: Beat;
    try {
      primary = await this.#beat();
      this.#ahead = primary.now - performance.now();
    } catch {
      // Without the primary the lag is unknown, and the replica is not used.
      return;
    }
    try {
      this.#tell(this.#compare(primary, await inTime(this.#lookThere()), asked));
    } catch (error) {
      this.#tell(reasonOf(error));
    }
  }

  /** Renews the heartbeat once a second, whichever process comes first. Returns the primary's epoch and time. */
  async #beat(): Promise<Beat> {
    await sql`
      insert into instance as known (key, value) values (${heartbeat}, ${nowMs}::text)
      on conflict (key) do update set value = excluded.value
      where abs(known.value::bigint - excluded.value::bigint) > ${lookMs / 2}`.execute(this.#primary);
    const { rows } = await sql<Beat>`
      select ${nowMs} as now, ${factOf("epoch")} as epoch`.execute(this.#primary);
    return rows[0]!;
  }

  async #lookThere(): Promise<Sign> {
    const { rows } = await sql<Sign>`
      select pg_is_in_recovery() as follows, ${factOf("epoch")} as epoch,
        ${factOf(heartbeat)}::bigint as beat`.execute(this.#db);
    return rows[0]!;
  }

  /** Returns the reason why the replica cannot be used; undefined when it can. */
  #compare(primary: Beat, { follows, epoch, beat }: Sign, asked: number): string | undefined {
    if (!follows) return "it follows no other PostgreSQL";
    if (epoch !== primary.epoch) return "it follows the PostgreSQL of another Hearth";
    // After the primary's clock was set back, the heartbeat is in the future until it is renewed.
    const behindMs = Math.abs(primary.now - (beat ?? 0));
    if (behindMs > nearMs) return `it is more than ${nearMs / 1000} s behind`;
    this.#nearAt = asked - behindMs;
    return undefined;
  }

  /** The reason may change while the trouble lasts; only its start is reported. */
  #tell(reason: string | undefined): void {
    if (reason !== undefined) this.#nearAt = Number.NEGATIVE_INFINITY;
    const isNews = this.#isLost !== (reason !== undefined);
    this.#isLost = reason !== undefined;
    if (isNews && !this.#stop.signal.aborted) this.#hear(reason);
  }
}

/** True if the PostgreSQL at this address is a replica. Throws its error when it does not answer. */
export async function isFollowing(url: string): Promise<boolean> {
  const connections = new Connections();
  const db = openPool(url, connections, 1);
  try {
    const { rows } = await inTime(
      sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`.execute(db),
    );
    return rows[0]?.follows ?? false;
  } finally {
    void db.destroy().catch(() => {});
    connections.cutAll();
  }
}

interface Beat {
  /** Milliseconds since 1970 by the primary's clock. */
  now: number;
  epoch: string | null;
}

interface Sign {
  follows: boolean;
  epoch: string | null;
  beat: number | null;
}

function factOf(key: string) {
  return sql<string | null>`(select value from instance where key = ${key})`;
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || "the connection was refused";
}
