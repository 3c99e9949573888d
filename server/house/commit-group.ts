// Operations that share a commit: their events, versions and rows together, and the criteria for splitting them.
import type { BusItem, LoggedEvent } from "../bus/bus.ts";
import type { Db } from "../database/database.ts";
import { type Home, rowsOf } from "../place.ts";
import type { Stale } from "./event-log.ts";
import type { House } from "./house.ts";
import { insertSkippingTaken } from "./inserts.ts";
import type { PendingEvent, UnitOfWork } from "./unit.ts";

export type Work<T> = (unit: UnitOfWork) => Promise<T>;

/** An operation that has run, and waits for its shared commit. */
export interface Waiting {
  unit: UnitOfWork;
  work: Work<unknown>;
  result: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** When the wait began, by the monotonic clock. */
  since: number;
  /** True if the operation has waited in the lane of a held stream. */
  hasWaited?: boolean;
}

export function eventsOf(group: readonly Waiting[]): PendingEvent[] {
  const events: PendingEvent[] = [];
  for (const { unit } of group) events.push(...unit.events);
  return events;
}

export function told(logged: readonly LoggedEvent[], group: readonly Waiting[]): BusItem[] {
  const items: BusItem[] = [...logged];
  for (const { unit } of group) items.push(...unit.items);
  return items;
}

/** Inserts the rows of all operations. Returns the operations that were turned away by a taken key. */
export async function insertTogether(
  { database }: House,
  db: Db,
  group: readonly Waiting[],
): Promise<Waiting[]> {
  const appends = group.map(({ unit }) => unit.appends);
  const refused = await insertSkippingTaken(database, db, appends);
  return group.filter((_, i) => refused.has(i));
}

/** Splits the group in two: the operations for which `isMeant` holds, and the others. */
export function parted(
  group: readonly Waiting[],
  isMeant: (each: Waiting) => boolean,
): [meant: Waiting[], others: Waiting[]] {
  return [group.filter(isMeant), group.filter((each) => !isMeant(each))];
}

/** `lastIds`: by home, the highest id of its events. */
export function isOvertaken({ events }: UnitOfWork, lastIds: ReadonlyMap<Home, string>): boolean {
  return events.some(
    ({ place, risingId }) => risingId !== null && risingId <= (lastIds.get(place.home) ?? ""),
  );
}

export function isStale({ seen, events }: UnitOfWork, { versions }: Stale): boolean {
  return [...versions].some(([stream, version]) =>
    version === undefined
      ? events.some((event) => rowsOf(event.place).includes(stream))
      : seen.has(stream) && seen.get(stream) !== version,
  );
}

export function versionsSeen(group: readonly Waiting[]): Map<Home, Set<number>> {
  const seen = new Map<Home, Set<number>>();
  for (const { unit } of group) {
    for (const [stream, version] of unit.seen) {
      const versions = seen.get(stream);
      if (versions) versions.add(version);
      else seen.set(stream, new Set([version]));
    }
  }
  return seen;
}
