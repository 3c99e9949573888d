// Copies a SQLite database as of one moment while others write to it, and checks the integrity of such a file.
import { threadFile } from "../own-files.ts";
import type { Order, Outcome } from "./snapshot-thread.ts";

/** An error of SQLite itself, with its code: SQLITE_FULL, SQLITE_CORRUPT, … */
class SqliteTrouble extends Error {
  override name = "SqliteTrouble";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Writes the last committed state of the database `from` into the new file `to`, which is not synced. The copy is a
 * single read transaction: writers do not wait for it, and do not make it start over. `then` is a statement that is run
 * in the copy. Throws SqliteTrouble.
 */
export async function copySqlite(from: string, to: string, then: string): Promise<void> {
  await ordered({ file: from, copy: { to, then } });
}

/** The faults that SQLite's quick check finds, a sentence each, at most ten; none when the file is intact. */
export async function troubleInSqlite(file: string): Promise<string[]> {
  try {
    return await ordered({ file });
  } catch (error) {
    if (error instanceof SqliteTrouble && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return [error.message];
    throw error;
  }
}

/** Runs in a thread: it takes seconds for each gigabyte, and the process must still handle signals. */
function ordered(order: Order): Promise<string[]> {
  return new Promise((done, failed) => {
    const thread = new Worker(threadFile("server/database/snapshot-thread.ts"));
    thread.onmessage = ({ data }: MessageEvent<Outcome>) => {
      thread.terminate();
      if (data.failed) failed(new SqliteTrouble(data.failed.message, data.failed.code));
      else done(data.says);
    };
    thread.onerror = ({ message }) => {
      thread.terminate();
      failed(new Error(message));
    };
    thread.postMessage(order);
  });
}
