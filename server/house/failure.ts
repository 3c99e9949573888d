// Logs failures of work that nobody waits for, unless they only say that the database is away.
import type { House } from "./house.ts";

/** Logs the error under this sentence. That the database is away, or was closed at the end, is told elsewhere. */
export function logFailure({ database, log }: House, error: unknown, sentence: string): void {
  if (!database.isAway(error)) log.error({ err: error }, sentence);
}
