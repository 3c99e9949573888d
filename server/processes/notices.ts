// Notices among processes on one database: what each must learn of the others' commits, even when the bus loses it.

import { sql } from "kysely";
import type { BusItem, LoggedEvent } from "../bus/bus.ts";
import { isPerson } from "../bus/subjects.ts";
import type { Database, Db } from "../database/database.ts";
import { nowMs } from "../database/postgres-clock.ts";
import type { Job } from "../house/feature.ts";
import { type Numbered, readLogged } from "../house/log-table.ts";
import { pieces } from "../house/pieces.ts";
import type { UnitOfWork } from "../house/unit.ts";
import { personStream } from "../place.ts";
import { newId } from "../tokens.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** On PostgreSQL only. The database fills in the time, by its clock, and the id of the row's transaction. */
    notices: { id: string; item: string; created_at: number };
  }
}

/** An event that touches people whose processes may not follow its stream: it is read from the log. */
interface Pointer extends Numbered {
  kind: "pointer";
}

const noticedKinds = ["dropped", "live", "round", "sessions-ended", "sockets", "word"] as const;

type Noticed = Extract<BusItem, { kind: (typeof noticedKinds)[number] }> | Pointer;

/** How long notices are kept, in milliseconds: a process that did not read for longer has to start over. */
const noticesKeptMs = 10 * 60_000;

/** The most notices that are read at once; a process that is further behind should start over. */
const mostRead = 5000;

/** Events that are read together. */
const eventsAtOnce = 500;

/** Writes, in the transaction `db` of the units, the notices about them for other processes. */
export async function leaveNotices(
  database: Database,
  db: Db,
  units: readonly UnitOfWork[],
  logged: readonly LoggedEvent[],
): Promise<void> {
  const noticed: Noticed[] = [];
  for (const { stream, seq, touches } of logged)
    if (touches.some(isPerson)) noticed.push({ kind: "pointer", stream, seq });
  const newest = new Map(logged.map(({ stream, seq }) => [stream, seq]));
  for (const item of units.flatMap(({ items }) => items)) {
    if (!isNoticed(item)) continue;
    if (item.kind === "live" || item.kind === "round") item.id = newId();
    if (item.kind === "round") item.seq = newest.get(personStream(item.about));
    noticed.push(item);
  }
  if (noticed.length === 0) return;
  const rows = noticed.map((item) => ({ item: JSON.stringify(item) }));
  await database.insertRows(db, "notices", rows, false);
}

/** True if an item needs a notice: one of a stream does not, as followers read the stream's numbers. */
function isNoticed(item: BusItem): item is Exclude<Noticed, Pointer> {
  if (item.kind === "dropped") return item.stream === undefined;
  return (noticedKinds as readonly string[]).includes(item.kind);
}

/** Reads the notices of all processes, each once, in whatever order their transactions end. */
export class Notices {
  readonly #db: Db;
  /** All transactions below this one have ended, and their notices were read. */
  #cursor: string | undefined;
  /** Ids of notices that were read, of transactions from the cursor on. */
  #seen = new Set<string>();
  /** Time of the last read, by the database's clock: this machine's may be set, and stops while it sleeps. */
  #readAt: number | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the items since the last call, at first none; undefined when they are too many or may be incomplete. */
  async read(): Promise<BusItem[] | undefined> {
    const { rows } = await sql<Row>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as ended, ${nowMs} as now, id::text, item, xid::text
      from (select) as one left join notices on xid >= ${this.#cursor ?? null}::xid8
      order by notices.id limit ${mostRead + this.#seen.size}`.execute(this.#db);
    const { ended, now: readAt } = rows[0]!;
    // Some of the notices since then may have been deleted.
    const isLate = readAt - (this.#readAt ?? readAt) > noticesKeptMs / 2;
    // An older open transaction keeps the cursor in place: notices already heard do not count as too many.
    const fresh = rows.filter(({ id }) => id !== null && !this.#seen.has(id));
    const isTooMuch = fresh.length >= mostRead || isLate;
    let items: BusItem[] | undefined = [];
    if (this.#readAt !== undefined) items = isTooMuch ? undefined : await this.#itemsOf(fresh);
    // Only now: when the log cannot be read, the next read gets all of them again.
    this.#readAt = readAt;
    this.#cursor = ended;
    this.#seen = new Set(rows.flatMap(({ id, xid }) => (id && BigInt(xid ?? 0) >= BigInt(ended) ? id : [])));
    return items;
  }

  async #itemsOf(rows: readonly Row[]): Promise<BusItem[]> {
    const noticed = rows.map(({ item }) => JSON.parse(item ?? "") as Noticed);
    const pointers = noticed.filter(({ kind }) => kind === "pointer") as Pointer[];
    const events = new Map<string, LoggedEvent>();
    for (const some of pieces(pointers, () => 1, eventsAtOnce))
      for (const event of await readLogged(this.#db, some)) events.set(keyOf(event), event);
    return noticed.flatMap((item) => (item.kind === "pointer" ? (events.get(keyOf(item)) ?? []) : item));
  }
}

function keyOf({ stream, seq }: Numbered): string {
  return `${stream} ${seq}`;
}

interface Row {
  ended: string;
  now: number;
  id: string | null;
  item: string | null;
  xid: string | null;
}

/** Rows deleted at once. */
const deletedAtOnce = 5000;

export const forgetNotices: Job = {
  name: "forget notices",
  everyMs: 60_000,
  async run({ database }) {
    if (database.engine !== "postgres") return false;
    const { numAffectedRows = 0n } = await sql`delete from notices where id in (
      select id from notices where created_at < ${nowMs} - ${noticesKeptMs}::bigint
      order by id limit ${deletedAtOnce})`.execute(database.read);
    return numAffectedRows === BigInt(deletedAtOnce);
  },
};
