// Unpacks the folder and the database of a release for a test server that is not open yet.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import type { TestHouse } from "../../house/open/engines.ts";
import { folderOf } from "./known.ts";

export async function unpack({ engine, settings }: TestHouse): Promise<void> {
  const { DATA_DIR = "", DATABASE_URL } = settings;
  const unzipped = (name: string) => gunzipSync(readFileSync(join(folderOf(engine), name)));
  cpSync(join(folderOf(engine), "uploads"), join(DATA_DIR, "uploads"), { recursive: true });
  if (engine === "SQLite") return writeFileSync(join(DATA_DIR, "hearth.db"), unzipped("hearth.db.gz"));
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(unzipped("hearth.sql.gz").toString());
  await client.end();
}
