// The rows by which processes know of each other's sockets, and of each other: every line of SQL about them.

import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "../database/database.ts";
import { isListed } from "../database/listed.ts";
import { nowMs } from "../database/postgres-clock.ts";
import type { Tables } from "../database/tables.ts";
import { lowestId } from "../tokens.ts";
import type { Job } from "./feature.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL alone, like the other. `alive_at`: milliseconds since 1970 by the clock of the database. */
    processes: {
      id: string;
      alive_at: number;
      /** What it was started with: the JSON of `sumsOf`; empty where its release does not say. */
      settings: string;
      /** 1 where it signs what it sends through Redis, as every release does since there are signatures. */
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
      /** When the person said something on one of them, as far as that is known here. */
      said_at: number | null;
    };
  }
}

/** A process that was not heard of for so long is dead, in milliseconds. */
export const deadMs = 30_000;
/** After this time nobody asks any more who left. */
const leftMs = 60_000;
/** A person is active for so long after they said something. */
const activeMs = 60_000;
/** Nobody is active at a process that gave no sign of life for so long: three of them are missing. */
const silentMs = 15_000;
/** Rows that are read, or deleted, at once. */
const rowsAtOnce = 5000;

/** The sockets of one person at a process. */
export interface Row {
  user_id: string;
  process: string;
  opened: number[];
}

/** Notes that the process is alive. Returns the time, and whether it was not known at all. */
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

/** Returns the processes that were not dead at that time, by the clock of the database. */
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

/** The part of its row by which a process tells the others about itself. */
type Process = Pick<Tables["processes"], "settings" | "signs_lines" | "clock_ahead_ms">;

/** What a process writes of a person: their sockets, and for how long they have said nothing. */
interface Written {
  user_id: string;
  opened: readonly number[];
  silent_ms: number | null;
}

export async function upsertRows(db: Db, process: string, written: readonly Written[]): Promise<void> {
  const rows = written.map((row) => ({ ...row, opened: JSON.stringify(row.opened) }));
  await sql`
    insert into connections (user_id, process, opened, left_at, said_at)
    select user_id, ${process}, opened, case when opened = '[]' then ${nowMs} end, ${nowMs} - silent_ms
    from json_to_recordset(${JSON.stringify(rows)}::json) as given(user_id uuid, opened text, silent_ms bigint)
    on conflict (user_id, process) do update
    set opened = excluded.opened, left_at = excluded.left_at, said_at = excluded.said_at`.execute(db);
}

/** The sockets of these people at other processes. */
export async function selectRows(db: Db, me: string, userIds: readonly string[]): Promise<Row[]> {
  const rows = await db
    .selectFrom("connections")
    .select(["user_id", "process", "opened"])
    .where(isListed(db, "user_id", JSON.stringify(userIds)))
    .where("process", "!=", me)
    .where("left_at", "is", null)
    .execute();
  return rows.map((row) => ({ ...row, opened: JSON.parse(row.opened) }));
}

/**
 * Yields, some at a time, the rows of other processes that are not dead, and of those that left them within `lateMs`,
 * who have no sockets there.
 */
export async function* selectAllRows(db: Db, me: string, lateMs: number): AsyncGenerator<Row[]> {
  for (let after = lowestId, more = true; more; ) {
    const { rows } = await sql<Omit<Row, "opened"> & { opened: string }>`
      select user_id, process, opened from connections
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

/** Returns the people among these who were active a moment ago at a process other than this one. */
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

/** The process ends: its people have left it, which others see until they have heard where those went. */
export async function leaveAll(db: Db, process: string): Promise<void> {
  await sql`update connections set opened = '[]', left_at = ${nowMs}
    where process = ${process} and left_at is null`.execute(db);
  await db.deleteFrom("processes").where("id", "=", process).execute();
}

/** What dead processes have left. One that was only stopped writes its rows anew. */
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
