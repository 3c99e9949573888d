// A SQLite database as it is at one moment, copied while others write to it; and whether such a file is whole.
import type { Order, Outcome } from "./snapshot-thread.ts";

/** A failure of SQLite itself. `code` is one of its own, for instance SQLITE_FULL or SQLITE_CORRUPT. */
class SqliteTrouble extends Error {
  override name = "SqliteTrouble";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Writes the last committed state of the database `from` into the new file `to`, which is not synced to the disk. One
 * read transaction from begin to end: writers neither wait for it nor make it begin again. `then` is a statement that is
 * carried out in the copy. Throws SqliteTrouble.
 */
export async function copySqlite(from: string, to: string, then: string): Promise<void> {
  await ordered({ file: from, copy: { to, then } });
}

/** What SQLite's quick check says against the file, a sentence each, at most ten; none when it is whole. */
export async function troubleInSqlite(file: string): Promise<string[]> {
  try {
    return await ordered({ file });
  } catch (error) {
    if (error instanceof SqliteTrouble && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return [error.message];
    throw error;
  }
}

/** In a thread of its own: it takes seconds for each gigabyte, and a signal must be heard meanwhile. */
function ordered(order: Order): Promise<string[]> {
  return new Promise((done, failed) => {
    const thread = new Worker(new URL("./snapshot-thread.ts", import.meta.url).href);
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
