// Whether a person can be reached: the stored row, and lookups for other features.
import { timeText } from "../../protocol/clock.ts";
import type { Db } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { lookEverywhere, looked } from "../presence/access.ts";
import type { Availability, Window } from "./contract.ts";
import {
  type AvailabilityTable,
  isDue,
  selectAvailabilities,
  selectAvailability,
  selectDue,
  updateLook,
} from "./store.ts";
import type { Reachable } from "./windows.ts";

type Hours = Pick<Availability, "time_zone" | "windows" | "dnd_outside">;

const always: Hours = { time_zone: "UTC", windows: [], dnd_outside: false };

export async function hoursOf(db: Db, userId: string): Promise<Hours> {
  const row = await selectAvailability(db, userId);
  return row ? hoursIn(row) : always;
}

/** Loads the library of time zones on first use. */
async function reachable(hours: Hours, at: number): Promise<Reachable> {
  const { reachableAt } = await import("./windows.ts");
  return reachableAt(hours, at);
}

export async function toAvailability(hours: Hours): Promise<Availability> {
  const { now, nextChangeAt } = await reachable(hours, Date.now());
  return {
    time_zone: hours.time_zone,
    windows: hours.windows,
    dnd_outside: hours.dnd_outside,
    available_now: now,
    next_change_at: nextChangeAt === null ? null : timeText(nextChangeAt),
  };
}

/** Returns those of these people who are on do-not-disturb by their hours now. */
export async function doNotDisturbAmong(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const at = Date.now();
  const rows = await selectAvailabilities(db, userIds);
  const outside = await Promise.all(
    rows.map((row) => (isDue(row, at) ? toRow(row.user_id, hoursIn(row), at) : row)),
  );
  return new Set(outside.filter((row) => row.dnd_now === 1).map((row) => row.user_id));
}

/** Returns the row of a person's hours, computed for the moment `at`. */
export async function toRow(userId: string, hours: Hours, at: number): Promise<AvailabilityTable> {
  const { now, nextChangeAt } = await reachable(hours, at);
  return {
    user_id: userId,
    time_zone: hours.time_zone,
    windows: JSON.stringify(hours.windows),
    dnd_outside: hours.dnd_outside ? 1 : 0,
    dnd_now: hours.dnd_outside && !now ? 1 : 0,
    // Without "do not disturb outside", others see no difference when the hours begin or end.
    due_at: hours.dnd_outside ? nextChangeAt : null,
  };
}

/** Due changes per read. */
const together = 200;
/** Due changes per transaction: many people's days may begin at one minute, and computing each takes a while. */
const shownAtOnce = 10;

/** Applies the changes that are due, in batches. Returns whether there may be more. */
export async function showDueChanges(house: House): Promise<boolean> {
  const at = Date.now();
  const due = await selectDue(house.database.read, at, together);
  for (const some of pieces(due, () => 1, shownAtOnce)) {
    await nextTurn();
    const looks = await Promise.all(some.map((row) => toRow(row.user_id, hoursIn(row), at)));
    await house.write(async (unit) => {
      for (const [i, look] of looks.entries()) await updateLook(unit.db, some[i]!, look);
      lookEverywhere(
        unit,
        some.map(({ user_id }) => user_id),
      );
    });
    await looked(house);
  }
  return due.length === together;
}

function hoursIn(row: AvailabilityTable): Hours {
  const windows: Window[] = JSON.parse(row.windows);
  return { time_zone: row.time_zone, windows, dnd_outside: row.dnd_outside === 1 };
}
