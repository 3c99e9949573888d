// The marks of a database that moved to another engine, and of one that a move has not filled yet: neither is served.
import { sql } from "kysely";
import { CannotStart } from "../cannot-start.ts";
import type { Db } from "./database.ts";
import { kept } from "./instance.ts";

/** In the target of a move from its very begin to its end: notes how far it is. */
export const arrivalTable = "moving_arrival";

/** Kept in `instance`: in the source of a move when it has ended, and in its target until then. */
export const movedKey = "moved";
export const arrivingKey = "arriving";

/** What the triggers say that refuse writes in a database that has moved. */
export const movedSentence = "this Hearth has moved to another database: stop it, and start it there";

/** Throws CannotStart with a sentence that says how to go on. */
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

/** A move was killed before the tables were made, and with them the place of the mark. */
async function isOnlyBegun(db: Db): Promise<boolean> {
  if ((await markOf(db, "epoch")) !== undefined) return false;
  const notes = sql`select 1 from ${sql.table(arrivalTable)}`.execute(db);
  return (await unlessMissing(notes)) !== undefined;
}

/** A database without tables has no marks. */
export function markOf(db: Db, key: string): Promise<string | undefined> {
  return unlessMissing(kept(db, key));
}

/** Undefined where there is no such table. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
