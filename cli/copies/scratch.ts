// A temporary PostgreSQL database for a trial, beside the one in use; and reads in one snapshot.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../server/database/database.ts";
import { codeOf } from "../../server/database/postgres-errors.ts";
import { Connections, openUnbounded } from "../../server/database/postgres-pool.ts";
import { atOneMoment } from "../moving/postgres.ts";

export const needsDatabase =
  "Its tables were not restored aside: that needs DATABASE_URL with a role that may create databases.";
const mayNot = "42501";

/** Returns the result of `work`, or a sentence if the role may not create databases. */
export async function inScratchDatabase<T>(
  databaseUrl: string,
  work: (url: string) => Promise<T>,
): Promise<T | string> {
  const name = `hearth_check_${randomBytes(6).toString("hex")}`;
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return connected(databaseUrl, async (db) => {
    try {
      await sql`create database ${sql.ref(name)} template template0 encoding 'UTF8'`.execute(db);
    } catch (error) {
      if (codeOf(error) === mayNot) return needsDatabase;
      throw error;
    }
    try {
      return await work(url.href);
    } finally {
      await sql`drop database ${sql.ref(name)} with (force)`.execute(db);
    }
  });
}

/** All reads of `work` see the same snapshot of the database. */
export function reading<T>(databaseUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  return connected(databaseUrl, (db) => atOneMoment(db, work));
}

export async function connected<T>(databaseUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  const connections = new Connections();
  const db = openUnbounded(databaseUrl, connections);
  try {
    return await work(db);
  } finally {
    await db.destroy();
    connections.cutAll();
  }
}
