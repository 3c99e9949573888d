// The SQLite engine: bun:sqlite in WAL mode, with one connection for writing, one for reading, others for snapshots.
import { constants, Database as Sqlite } from "bun:sqlite";
import { AlreadyRunning, CannotStart } from "../cannot-start.ts";
import { Queue } from "../queue.ts";
import { Checkpoints, mostLogBytes } from "./checkpoints.ts";
import { type Database, type Db, InDoubt } from "./database.ts";
import { migrateToLatest } from "./migrate.ts";
import { SameFiles } from "./same-files.ts";
import { snapshotConnections } from "./snapshots.ts";
import { type Connection, connect, insertRows } from "./sqlite-connection.ts";
import { explained, isAway, isBusy, sqliteErrors, writeTrouble } from "./sqlite-errors.ts";
import { WalSync } from "./wal-sync.ts";
import { StorageFault, WriteGate } from "./write-gate.ts";

const gone =
  "the data folder or a file in it is gone or replaced: stop Hearth, put it right, and start it again";
const silent = "the disk of the database does not answer";

/** A trial write of existing values: it only has to write a page, and a database that has moved refuses rows. */
const trial = "PRAGMA user_version = 0; UPDATE instance SET value = value WHERE key = 'epoch'; COMMIT";

/** How long a writer waits for another program that holds the file, and how often it retries, in milliseconds. */
const busyMs = 5000;
const busyPauseMs = 20;
const lookAtFilesMs = 1000;
/** The number of uncopied 4 KiB frames that triggers a checkpoint, and how often they are counted, in milliseconds. */
const manyFrames = 1000;
const lookAtLogMs = 200;

/** The lock on the file lasts as long as the process, and transactions never wait for a row. */
const oneWriter = { locksRows: false, heldMs: 0 };

/** Opens the database file, creating it when missing. Throws CannotStart with a sentence when it cannot be used. */
export function openSqlite(file: string): Database {
  const lock = claim(`${file}.lock`);
  const writer = connect(file);
  // WAL readers see the last commit, and neither they nor the writer wait for each other.
  const reader = connect(file);
  reader.connection.exec("PRAGMA query_only = ON");
  // Two: READY for a person in very many servers takes long, and others proceed beside it.
  const snapshots = snapshotConnections(2, () => {
    mustBeInPlace();
    const opened = connect(file);
    opened.connection.exec("PRAGMA query_only = ON");
    return opened;
  });
  prepareWriter(writer, file);
  const files = new SameFiles([file, `${file}-wal`, `${file}-shm`]);
  const written = new SameFiles([file, `${file}-wal`]);
  const turn = new Queue();
  const gate = new WriteGate(tryToWrite);
  const wal = new WalSync(`${file}-wal`, {
    stalled: () => gate.shut(silent),
    failed: (error) => gate.shut("the disk of the database fails", error),
  });
  const checkpoints = new Checkpoints(file, turn);
  const progress = writer.connection.prepare<{ log: number; checkpointed: number }, []>(
    "PRAGMA wal_checkpoint(NOOP)",
  );
  let lookedAtLog = 0;
  const watch = setInterval(async () => {
    if (await files.missing()) gate.shut(gone);
  }, lookAtFilesMs);
  watch.unref();
  // The last connection to close copies the log into the database file unchecked, and the runtime closes all at the end
  // of the process. When a part of the log may be lost, the process kills itself before that; the next start takes the
  // frames that are intact, as after any kill.
  const spareDatabase = () => {
    if (wal.isBroken) process.kill(process.pid, "SIGKILL");
  };
  process.on("exit", spareDatabase);

  // A file opened by name could be another one by now, and SQLite would copy our log into it.
  function mustBeInPlace(): void {
    if (files.areInPlace()) return;
    gate.shut(gone);
    throw new StorageFault(gone);
  }

  async function transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const result = await turn.run(() => commit(work));
    // Others may write meanwhile. A commit that reads these rows becomes durable after them.
    await wal.synced();
    if (!written.areInPlace()) {
      gate.shut(gone);
      throw new InDoubt("the database was moved away during a commit");
    }
    return result;
  }

  async function commit<T>(work: (db: Db) => Promise<T>): Promise<T> {
    gate.check();
    try {
      await begin(writer);
      const result = await work(writer.db);
      // A sync may have failed meanwhile: nothing may follow log frames that may be lost.
      gate.check();
      writer.commit.run();
      shortenLog();
      return result;
    } catch (error) {
      if (writer.connection.inTransaction) writer.rollback.run();
      const trouble = writeTrouble(error);
      if (trouble) gate.shut(trouble, error);
      throw explained(error);
    }
  }

  function shortenLog(): void {
    const now = performance.now();
    if (now - lookedAtLog < lookAtLogMs || checkpoints.isUnderWay || checkpoints.isStalled) return;
    lookedAtLog = now;
    const { log, checkpointed } = progress.get() ?? { log: 0, checkpointed: 0 };
    if (log - checkpointed < manyFrames || !written.areInPlace()) return;
    checkpoints.run().catch((error) => {
      // Another program that reads or writes only delays the checkpoint.
      if (!isBusy(error))
        gate.shut(writeTrouble(error) ?? "the log of the database cannot be shortened", error);
    });
  }

  async function tryToWrite(): Promise<void> {
    if (await files.missing()) throw new StorageFault(gone);
    if (wal.isStalled || checkpoints.isStalled) throw new StorageFault(silent);
    // The checkpoint may only be slow: no trial yet, the trouble stays as it was.
    if (checkpoints.isUnderWay) throw new Error("a checkpoint is under way");
    // The log is checked first, so that no damaged frame is copied into the database file.
    if (wal.isBroken) {
      await checkpoints.salvage();
      wal.mended();
    }
    if (checkpoints.isOwed) await checkpoints.run();
    await turn.run(async () => {
      writer.connection.exec("BEGIN IMMEDIATE");
      try {
        writer.connection.exec(trial);
      } catch (error) {
        if (writer.connection.inTransaction) writer.rollback.run();
        throw error;
      }
    });
    await wal.synced();
  }

  return {
    engine: "sqlite",
    notes: [],
    ...oneWriter,
    read: reader.db,
    snapshot: (work) => snapshots.run(({ db }) => work(db)),
    transaction,
    insertRows: async (_db, table, rows, skipTaken) => insertRows(writer, table, rows, skipTaken),
    async migrate(migrations) {
      await migrateToLatest(writer.db, migrations);
      await wal.synced();
    },
    ...sqliteErrors,
    onTrouble: (hear) => gate.onChange(hear),
    get trouble() {
      return gate.trouble?.sentence;
    },
    ping: async () => void reader.connection.query("select key from instance limit 1").get(),
    async close() {
      clearInterval(watch);
      gate.stop();
      // The last connection to close removes the log by name, which must not be another database's.
      const closing = (await files.missing()) ? keepLog : () => {};
      for (const each of [writer, reader]) closing(each);
      await snapshots.close(closing);
      await turn.run(async () => {
        await checkpoints.close();
        if (wal.isBroken) return;
        process.off("exit", spareDatabase);
        reader.connection.close();
        writer.connection.close();
        wal.close();
        lock.close();
      });
    },
  };
}

function keepLog({ connection }: Connection): void {
  connection.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
}

// The first commit syncs the log's header and its folder: done at the start, no request waits for that. A disk that
// takes no writes is reported when people write.
function beginLog(connection: Sqlite): void {
  try {
    connection.exec("BEGIN IMMEDIATE; PRAGMA user_version = 0; COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    if (!isAway(error)) throw error;
  }
}

function prepareWriter({ connection }: Connection, file: string): void {
  try {
    // Commits sync the log outside of the event loop (wal-sync.ts), and so do checkpoints.
    connection.exec("PRAGMA synchronous = NORMAL");
    connection.exec("PRAGMA wal_autocheckpoint = 0");
    connection.exec(`PRAGMA journal_size_limit = ${mostLogBytes}`);
    connection.exec("PRAGMA busy_timeout = 0");
    // The first read of the database opens its log.
    connection.exec("BEGIN IMMEDIATE; COMMIT");
    beginLog(connection);
  } catch (error) {
    throw new CannotStart(`The database file ${file} cannot be used: ${(error as Error).message}.`);
  }
}

/** Waits for another program's write, without blocking the event loop. */
async function begin({ begin }: Connection): Promise<void> {
  const latest = performance.now() + busyMs;
  for (;;) {
    try {
      begin.run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > latest) throw error;
      await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
    }
  }
}

/**
 * Lets only one process use a file, because each trusts its caches. The lock ends with the process, however it ends.
 */
export function claim(file: string): Sqlite {
  try {
    const lock = new Sqlite(file, { create: true, readwrite: true });
    lock.exec("PRAGMA locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    if ((error as { code?: string }).code === "SQLITE_BUSY") {
      throw new AlreadyRunning(
        `Another Hearth is running on this data folder (${file} is held). Stop it first.`,
      );
    }
    throw new CannotStart(`The data folder cannot be written to: ${(error as Error).message} (${file}).`);
  }
}
