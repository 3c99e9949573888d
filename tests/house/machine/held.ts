// Another program that writes into SQLite's database file: until it is done, nobody else can.
import { Database } from "bun:sqlite";
import { join } from "node:path";

/** With the turn to write taken, once whoever has it is through. */
export function heldDatabase(dataDir: string): Database {
  const database = new Database(join(dataDir, "hearth.db"));
  database.run("pragma busy_timeout = 5000");
  database.run("begin immediate");
  return database;
}
