// Whether a person can be reached, the row that is stored of it, and what other features ask about it.
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

/** The library of time zones is loaded with the first question. */
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

/** The people among these who are on do-not-disturb at this hour. */
export async function doNotDisturbAmong(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const at = Date.now();
  const rows = await selectAvailabilities(db, userIds);
  const outside = await Promise.all(
    rows.map((row) => (isDue(row, at) ? toRow(row.user_id, hoursIn(row), at) : row)),
  );
  return new Set(outside.filter((row) => row.dnd_now === 1).map((row) => row.user_id));
}

/** The row of a person's hours, reckoned for this moment. */
export async function toRow(userId: string, hours: Hours, at: number): Promise<AvailabilityTable> {
  const { now, nextChangeAt } = await reachable(hours, at);
  return {
    user_id: userId,
    time_zone: hours.time_zone,
    windows: JSON.stringify(hours.windows),
    dnd_outside: hours.dnd_outside ? 1 : 0,
    dnd_now: hours.dnd_outside && !now ? 1 : 0,
    // Without "do not disturb outside" a change of the hours changes nothing that others see.
    due_at: hours.dnd_outside ? nextChangeAt : null,
  };
}

/** Due changes read together. */
const together = 200;
/** Very many people's days may begin at one minute, and reckoning each takes a while. */
const shownAtOnce = 10;

/** Shows the changes that are due, some at a time. Returns whether there may be more. */
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
