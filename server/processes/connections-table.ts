// The tables by which processes know of each other, and of each other's sockets, with all SQL about them.

import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "../database/database.ts";
import { isListed } from "../database/listed.ts";
import { nowMs } from "../database/postgres-clock.ts";
import type { Tables } from "../database/tables.ts";
import type { Job } from "../house/feature.ts";
import { lowestId } from "../tokens.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL only, like `connections`. `alive_at`: milliseconds since 1970 by the database's clock. */
    processes: {
      id: string;
      alive_at: number;
      /** The settings it was started with: the JSON of `sumsOf`; empty for a release that does not report them. */
      settings: string;
      /** 1 if it signs what it sends through Redis, as every release does since signatures were added. */
      signs_lines: number;
      /** By how many milliseconds its clock is ahead of the database's, as far as it knew. */
      clock_ahead_ms: number;
    };
    connections: {
      user_id: string;
      process: string;
      /** JSON: when each of the person's sockets at the process signed in; empty since `left_at`. */
      opened: string;
      /** When the last of them closed; null while there is one. */
      left_at: number | null;
      /** When the person last sent something on one of them, as far as that was recorded. */
      said_at: number | null;
      /** 1 if each of them is idle, or was when the last of them closed; 0 for a release that does not report it. */
      idle: number;
    };
  }
}

/** How long after its last heartbeat a process counts as dead, in milliseconds. */
export const deadMs = 30_000;
/** How long the rows of people who left are kept, in milliseconds. */
const leftMs = 60_000;
/** How long a person is active after they sent something, in milliseconds. */
const activeMs = 60_000;
/** A process without a heartbeat for this long, in milliseconds, has no active people: three heartbeats are missing. */
const silentMs = 15_000;
/** Rows that are read, or deleted, at once. */
const rowsAtOnce = 5000;

/** The sockets of one person at a process. */
export interface Row {
  user_id: string;
  process: string;
  opened: number[];
  /** 1 if each of them is idle, or was when the last of them closed. */
  idle: number;
}

/** Records a heartbeat. Returns the time, and whether the process had no row. */
export async function noteProcess(
  db: Db,
  id: string,
  { settings, clock_ahead_ms }: Pick<Process, "settings" | "clock_ahead_ms">,
): Promise<{ at: number; isNew: boolean }> {
  const { rows } = await sql<{ at: number; is_new: boolean }>`
    insert into processes (id, alive_at, settings, signs_lines, clock_ahead_ms)
      values (${id}, ${nowMs}, ${settings}, 1, ${clock_ahead_ms})
    on conflict (id) do update set alive_at = excluded.alive_at, clock_ahead_ms = excluded.clock_ahead_ms
    returning alive_at as at, xmax = 0 as is_new`.execute(db);
  const [{ at, is_new }] = rows as [{ at: number; is_new: boolean }];
  return { at, isNew: is_new };
}

/** Returns the processes that were not dead at that time, by the database's clock. */
export async function selectAlive(db: Db, at: number): Promise<ReadonlyMap<string, Process>> {
  const rows = await db
    .selectFrom("processes")
    .select(["id", "settings", "signs_lines", "clock_ahead_ms"])
    .where("alive_at", ">", at - deadMs)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

const isAlive = `alive_at > extract(epoch from clock_timestamp()) * 1000 - ${deadMs}`;

/** Returns the settings of each process that is not dead. */
export async function settingsOfProcesses(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ settings: string }>(
    `select settings from processes where ${isAlive}`,
  );
  return rows.map(({ settings }) => settings);
}

/** Returns by how many milliseconds the clock of each process that is not dead is ahead of the database's. */
export async function clocksOfProcesses(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ ms: number }>(
    `select clock_ahead_ms::float8 as ms from processes where ${isAlive}`,
  );
  return rows.map(({ ms }) => ms);
}

/** The part of its row by which a process describes itself to the others. */
type Process = Pick<Tables["processes"], "settings" | "signs_lines" | "clock_ahead_ms">;

/** A process's record of a person: their sockets, how long they have been silent, and whether all are idle. */
interface Written {
  user_id: string;
  opened: readonly number[];
  silent_ms: number | null;
  idle: boolean;
}

export async function upsertRows(db: Db, process: string, written: readonly Written[]): Promise<void> {
  const rows = written.map((row) => ({
    ...{ ...row, opened: JSON.stringify(row.opened), idle: row.idle ? 1 : 0 },
  }));
  await sql`
    insert into connections (user_id, process, opened, left_at, said_at, idle)
    select user_id, ${process}, opened, case when opened = '[]' then ${nowMs} end, ${nowMs} - silent_ms, idle
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given(user_id uuid, opened text, silent_ms bigint, idle bigint)
    on conflict (user_id, process) do update
    set opened = excluded.opened, left_at = excluded.left_at, said_at = excluded.said_at, idle = excluded.idle`.execute(
    db,
  );
}

/** The sockets of these people at other processes. */
export async function selectRows(db: Db, me: string, userIds: readonly string[]): Promise<Row[]> {
  const rows = await db
    .selectFrom("connections")
    .select(["user_id", "process", "opened", "idle"])
    .where(isListed(db, "user_id", JSON.stringify(userIds)))
    .where("process", "!=", me)
    .where("left_at", "is", null)
    .execute();
  return rows.map((row) => ({ ...row, opened: JSON.parse(row.opened) }));
}

/**
 * Yields, in batches, the rows of other processes that are not dead, and of people who left other processes within
 * `lateMs` and have no sockets there.
 */
export async function* selectAllRows(db: Db, me: string, lateMs: number): AsyncGenerator<Row[]> {
  for (let after = lowestId, more = true; more; ) {
    const { rows } = await sql<Omit<Row, "opened"> & { opened: string }>`
      select user_id, process, opened, idle from connections
      where user_id > ${after} and process <> ${me}
        and (left_at > ${nowMs} - ${lateMs}::bigint or (left_at is null
          and process in (select id from processes where alive_at > ${nowMs} - ${deadMs}::bigint)))
      order by user_id limit ${rowsAtOnce}`.execute(db);
    more = rows.length === rowsAtOnce;
    // Rows of the last person may be missing.
    const last = rows.at(-1)?.user_id;
    const whole = more ? rows.filter(({ user_id }) => user_id !== last) : rows;
    yield whole.map((row) => ({ ...row, opened: JSON.parse(row.opened) }));
    after = whole.at(-1)?.user_id ?? after;
  }
}

/** Returns by person whether all of these sockets of theirs are idle. */
export function idleIn(rows: readonly Row[]): Map<string, boolean> {
  const idle = new Map<string, boolean>();
  for (const row of rows) idle.set(row.user_id, row.idle === 1 && (idle.get(row.user_id) ?? true));
  return idle;
}

/** Returns those of these people who were recently active at a process other than this one. */
export async function selectActive(db: Db, me: string, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("connections")
    .select("user_id")
    .where(isListed(db, "user_id", JSON.stringify(userIds)))
    .where("process", "!=", me)
    .where("left_at", "is", null)
    .where(sql<boolean>`said_at > ${nowMs} - ${activeMs}::bigint`)
    .where("process", "in", (eb) =>
      eb.selectFrom("processes").select("id").where(sql<boolean>`alive_at > ${nowMs} - ${silentMs}::bigint`),
    )
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Records that the process ends: its people have left it, and others see them there until they have read this. */
export async function leaveAll(db: Db, process: string): Promise<void> {
  await sql`update connections set opened = '[]', left_at = ${nowMs}
    where process = ${process} and left_at is null`.execute(db);
  await db.deleteFrom("processes").where("id", "=", process).execute();
}

/** Deletes rows of dead processes, and of people who left. A suspended process writes its rows again. */
export const forgetConnections: Job = {
  name: "forget connections",
  everyMs: 10_000,
  async run({ database }) {
    if (database.engine !== "postgres") return false;
    const { numAffectedRows = 0n } = await sql`
      delete from connections where (user_id, process) in (
        select user_id, process from connections
        where left_at < ${nowMs} - ${leftMs}::bigint or (left_at is null
          and process not in (select id from processes where alive_at > ${nowMs} - ${deadMs}::bigint))
        limit ${rowsAtOnce})`.execute(database.read);
    await sql`delete from processes where alive_at < ${nowMs} - ${10 * deadMs}::bigint`.execute(
      database.read,
    );
    return numAffectedRows === BigInt(rowsAtOnce);
  },
};
