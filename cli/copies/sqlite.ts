// The embedded database in a backup: a file that SQLite opens.
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { selectSizes } from "../../features/files/access.ts";
import { forgetEpoch } from "../../server/database/instance.ts";
import { appliedMigrations } from "../../server/database/migrate.ts";
import { expectHome } from "../../server/database/moved.ts";
import { copySqlite, troubleInSqlite } from "../../server/database/snapshot.ts";
import { claim, openSqlite } from "../../server/database/sqlite.ts";
import { sqliteEnd, sqliteTables } from "../moving/sqlite.ts";
import { sumTables, type TableSums } from "../moving/sums.ts";
import type { Copies } from "./copies.ts";

const filename = "hearth.db";

export const sqliteCopies: Copies = {
  engine: "sqlite",
  filename,

  async make({ dataDir }, file) {
    await mustBeHome(join(dataDir, filename));
    // The epoch is removed from the copy itself: however the file is put in place, the log goes on under a new epoch.
    await copySqlite(join(dataDir, filename), file, forgetEpoch);
    return sumsIn(file);
  },

  // The copy is a database as it is.
  tryOut: (_config, file) => sumsIn(file),

  async look(file) {
    const copy = openSqlite(file);
    try {
      return { migrations: await appliedMigrations(copy.read), uploads: await selectSizes(copy.read) };
    } finally {
      await copy.close();
    }
  },

  trouble: troubleInSqlite,

  async claim({ dataDir }) {
    const path = join(dataDir, filename);
    const lock = claim(`${path}.lock`);
    return {
      fill: (file) => rename(file, path),
      async release() {
        // Removed while the lock is held: afterwards it could be another process's.
        await rm(`${path}.lock`, { force: true });
        lock.close();
      },
    };
  },
};

async function mustBeHome(file: string): Promise<void> {
  const end = sqliteEnd(file, "source");
  try {
    await expectHome(end.db);
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
