// The marks of a database that moved to another engine, and of one that a move has not filled yet: neither is served.
import { CannotStart } from "../cannot-start.ts";
import type { Db } from "./database.ts";
import { kept } from "./instance.ts";

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
  if (arriving !== undefined)
    throw new CannotStart(
      "A move into this database has not come to its end. Run the same hearth migrate once more, or empty the database.",
    );
}

/** A database without tables has no marks. */
export async function markOf(db: Db, key: string): Promise<string | undefined> {
  try {
    return await kept(db, key);
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
