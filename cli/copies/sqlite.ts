// Copies of the embedded database: a file that SQLite opens.
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { selectKnown, selectSizes } from "../../features/files/access.ts";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { forgetEpoch } from "../../server/database/instance.ts";
import { appliedMigrations } from "../../server/database/migrate.ts";
import { expectHome } from "../../server/database/moved.ts";
import { copySqlite, troubleInSqlite } from "../../server/database/snapshot.ts";
import { claim, openSqlite } from "../../server/database/sqlite.ts";
import { isBusy } from "../../server/database/sqlite-errors.ts";
import { sqliteEnd, sqliteTables } from "../moving/sqlite.ts";
import { sumTables, type TableSums } from "../moving/sums.ts";
import type { Copies } from "./copies.ts";

const filename = "hearth.db";

export const sqliteCopies: Copies = {
  engine: "sqlite",
  filename,

  async make({ dataDir }, file) {
    await reading(join(dataDir, filename), expectHome);
    // The epoch is removed from the copy itself: however the file is put in place, its log gets a new epoch.
    await copySqlite(join(dataDir, filename), file, forgetEpoch);
    return sumsIn(file);
  },

  // The copy is already a database.
  tryOut: (_config, file) => sumsIn(file),

  async look(file) {
    const copy = openSqlite(file);
    try {
      return { migrations: await appliedMigrations(copy.read), uploads: await selectSizes(copy.read) };
    } finally {
      await copy.close();
    }
  },

  stillNamed: ({ dataDir }, filenames) =>
    reading(join(dataDir, filename), (db) => selectKnown(db, filenames)),

  trouble: troubleInSqlite,

  async claim({ dataDir }) {
    const path = join(dataDir, filename);
    const lock = claim(`${path}.lock`);
    return {
      fill: (file) => rename(file, path),
      async release() {
        // Removed while the lock is held: later it could be another process's.
        await rm(`${path}.lock`, { force: true });
        lock.close();
      },
    };
  },
};

/**
 * How long a database locked by another program is retried, in milliseconds: a backup of hours must not fail for that.
 */
const busyMs = 10_000;
const pauseMs = 100;

/** Reads while a server may be running on the database. */
async function reading<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  for (const latest = performance.now() + busyMs; ; ) {
    try {
      return await readingOnce(file, work);
    } catch (error) {
      const fault = error instanceof CannotStart ? error.cause : error;
      if (!isBusy(fault) || performance.now() > latest) throw error;
      await sleep(pauseMs);
    }
  }
}

async function readingOnce<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const end = sqliteEnd(file, "source");
  try {
    return await work(end.db);
  } finally {
    await end.close();
  }
}

async function sumsIn(file: string): Promise<TableSums> {
  const copy = openSqlite(file);
  try {
    return await sumTables(copy.read, await sqliteTables(copy.read));
  } finally {
    await copy.close();
  }
}
