// Logs failures of background work, unless they only mean that the database is away.
import type { House } from "./house.ts";

/** Logs the error under this sentence. A database that is away, or was closed at the end, is reported elsewhere. */
export function logFailure({ database, log }: House, error: unknown, sentence: string): void {
  if (!database.isAway(error)) log.error({ err: error }, sentence);
}
