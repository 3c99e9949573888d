// Marks of a database that moved to another engine, and of one that a move has not filled yet: neither may be served.
import { sql } from "kysely";
import { CannotStart } from "../cannot-start.ts";
import type { Db } from "./database.ts";
import { kept } from "./instance.ts";

/** A table in the target of a move, from start to end, with the move's progress. */
export const arrivalTable = "moving_arrival";

/** Keys in `instance`: the first in the source of a finished move, the second in the target of an unfinished one. */
export const movedKey = "moved";
export const arrivingKey = "arriving";

/** The message of the triggers that refuse writes in a database that has moved. */
export const movedSentence = "this Hearth has moved to another database: stop it, and start it there";

/** Throws CannotStart with a sentence that says how to continue. */
export async function expectHome(db: Db): Promise<void> {
  const [moved, arriving] = [await markOf(db, movedKey), await markOf(db, arrivingKey)];
  if (moved !== undefined)
    throw new CannotStart(
      `This Hearth has moved to ${moved}: start it with the settings for that. To go on here instead, without what was said there since, run hearth migrate --stay.`,
    );
  if (arriving !== undefined || (await isOnlyBegun(db)))
    throw new CannotStart(
      "A move into this database has not come to its end. Run the same hearth migrate once more, or empty the database.",
    );
}

/** True if a move was killed before the tables existed, and with them the place of the mark. */
async function isOnlyBegun(db: Db): Promise<boolean> {
  if ((await markOf(db, "epoch")) !== undefined) return false;
  const notes = sql`select 1 from ${sql.table(arrivalTable)}`.execute(db);
  return (await unlessMissing(notes)) !== undefined;
}

/** The value of a mark; a database without tables has none. */
export function markOf(db: Db, key: string): Promise<string | undefined> {
  return unlessMissing(kept(db, key));
}

/** Undefined when the table does not exist. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
