// The checkpoint thread, with its own connection to the database, which may block on the disk.
import { Database as Sqlite } from "bun:sqlite";
import { parentPort } from "node:worker_threads";
import type { Answer, Step } from "./checkpoints.ts";
import { isWhole } from "./wal-check.ts";

interface Progress {
  /** Frames in the log, and how many of them have been copied into the database file. */
  log: number;
  checkpointed: number;
}

let connection: Sqlite | undefined;

function open(file: string, mostLogBytes: number): Sqlite {
  const opened = new Sqlite(file, { create: false, readwrite: true, strict: true });
  opened.exec("PRAGMA busy_timeout = 2000");
  opened.exec("PRAGMA synchronous = FULL");
  opened.exec("PRAGMA wal_autocheckpoint = 0");
  opened.exec(`PRAGMA journal_size_limit = ${mostLogBytes}`);
  return opened;
}

/** Copies the frames that readers allow, and syncs both files. */
function copy(database: Sqlite): Progress {
  return database.query<Progress, []>("PRAGMA wal_checkpoint(PASSIVE)").get() as Progress;
}

/** Copies the remaining frames and restarts the log, while no connection writes. Returns whether that was possible. */
function restart(database: Sqlite): boolean {
  const { log, checkpointed } = copy(database);
  if (log !== checkpointed) return false;
  // The next commit restarts the log and syncs its header. An empty commit here saves waiting requests from that.
  database.exec("BEGIN IMMEDIATE; PRAGMA user_version = 0; COMMIT");
  const { log: now } = database.query<Progress, []>("PRAGMA wal_checkpoint(NOOP)").get() as Progress;
  return now <= 1;
}

function isReadable(database: Sqlite, file: string): boolean {
  const { log } = database.query<Progress, []>("PRAGMA wal_checkpoint(NOOP)").get() as Progress;
  return isWhole(`${file}-wal`, log);
}

function perform({ file, mostLogBytes, kind }: Step): boolean {
  if (kind === "close") {
    connection?.close();
    connection = undefined;
    return true;
  }
  connection ??= open(file, mostLogBytes);
  switch (kind) {
    case "copy": {
      copy(connection);
      // The second pass copies what was written during the first: little is left for the copy that writers wait for.
      const { log, checkpointed } = copy(connection);
      return log === checkpointed;
    }
    case "restart":
      return restart(connection);
    case "check":
      return isReadable(connection, file);
  }
}

parentPort?.on("message", (step: Step) => {
  const answer: Answer = { done: false };
  try {
    answer.done = perform(step);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    answer.failed = { message, code: code ?? "" };
  }
  parentPort?.postMessage(answer);
});
