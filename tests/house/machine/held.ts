// A second connection to SQLite's database file that holds the write lock: until it ends, no other can write.
import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Takes the write lock, waiting up to 5 s for its present holder. */
export function heldDatabase(dataDir: string): Database {
  const database = new Database(join(dataDir, "hearth.db"));
  database.run("pragma busy_timeout = 5000");
  database.run("begin immediate");
  return database;
}
