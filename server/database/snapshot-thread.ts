// The thread that copies or checks a SQLite database: one statement can take minutes.
import { Database as Sqlite } from "bun:sqlite";

/** With `copy` the file is copied and `then` is run in the copy; without it the file is checked. */
export interface Order {
  file: string;
  copy?: { to: string; then: string };
}

export interface Outcome {
  says: string[];
  failed?: { message: string; code: string };
}

const busyMs = 10_000;
const mostSentences = 10;

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<Order>) => {
  postMessage(outcomeOf(data));
};

function outcomeOf({ file, copy }: Order): Outcome {
  try {
    if (!copy) return { says: within(file, quickCheck) };
    within(file, (connection) => connection.run("vacuum into ?", [copy.to]));
    within(copy.to, (connection) => {
      // Syncing a whole new copy at once would delay the syncs of the server that writes to the original.
      connection.run("PRAGMA synchronous = OFF");
      connection.run(copy.then);
    });
    return { says: [] };
  } catch (error) {
    const { message, code = "" } = error as Error & { code?: string };
    return { says: [], failed: { message, code } };
  }
}

function within<T>(file: string, work: (connection: Sqlite) => T): T {
  // Not read-only: the last connection to a database in WAL mode has to remove the log.
  const connection = new Sqlite(file, { readwrite: true, create: false });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyMs}`);
    return work(connection);
  } finally {
    connection.close();
  }
}

function quickCheck(connection: Sqlite): string[] {
  const rows = connection.query<{ quick_check: string }, []>(`pragma quick_check(${mostSentences})`).all();
  return rows.flatMap(({ quick_check: says }) => (says === "ok" ? [] : says.split("\n")));
}
