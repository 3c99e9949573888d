// The table of uploads: stored name, owner, the owner's name for the file, and its type by content.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface UploadsTable {
  /** The stored name, random and with its extension, which the address ends with. */
  filename: string;
  owner_id: string;
  /** The name that the owner gave. */
  name: string;
  /** In bytes. */
  size: number;
  content_type: string;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    uploads: UploadsTable;
    /**
     * All uploads of a person and of all bots that they ever made: their bytes, and how many they are. There is no row
     * before the first upload.
     */
    upload_sums: { person_id: string; bytes: number; count: number };
  }
}

export function fileMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0012_uploads": {
      async up(db) {
        await db.schema
          .createTable("uploads")
          .addColumn("filename", type.text, (c) => c.primaryKey().notNull())
          .addColumn("owner_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("size", type.integer, (c) => c.notNull())
          .addColumn("content_type", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("uploads_owner").on("uploads").column("owner_id").execute();
      },
    },
    "0032_upload_sums": {
      async up(db) {
        await db.schema
          .createTable("upload_sums")
          .addColumn("person_id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("bytes", type.integer, (c) => c.notNull())
          .execute();
        await sql`insert into upload_sums (person_id, bytes)
          select coalesce(users.owner_id, users.id), sum(uploads.size)
          from uploads join users on users.id = uploads.owner_id
          group by coalesce(users.owner_id, users.id)`.execute(db);
      },
    },
    "0053_upload_counts": {
      async up(db) {
        await db.schema
          .alterTable("upload_sums")
          .addColumn("count", type.integer, (c) => c.notNull().defaultTo(0))
          .execute();
        await sql`update upload_sums set count = counted.count from (
            select coalesce(users.owner_id, users.id) as person_id, count(*) as count
            from uploads join users on users.id = uploads.owner_id
            group by coalesce(users.owner_id, users.id)
          ) as counted where counted.person_id = upload_sums.person_id`.execute(db);
      },
    },
  };
}

export async function selectUploadsOf(
  db: Db,
  ownerId: string,
  filenames: readonly string[],
): Promise<UploadsTable[]> {
  return db
    .selectFrom("uploads")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("filename", "in", filenames)
    .execute();
}

/** Adds to the sum of `personId`, whose row must be locked. */
export async function insertUpload(db: Db, personId: string, row: UploadsTable): Promise<void> {
  await db.insertInto("uploads").values(row).execute();
  await db
    .insertInto("upload_sums")
    .values({ person_id: personId, bytes: row.size, count: 1 })
    .onConflict((conflict) =>
      conflict.column("person_id").doUpdateSet((eb) => ({
        bytes: eb("upload_sums.bytes", "+", row.size),
        count: eb("upload_sums.count", "+", 1),
      })),
    )
    .execute();
}

export function selectUpload(db: Db, filename: string): Promise<UploadsTable | undefined> {
  return db.selectFrom("uploads").selectAll().where("filename", "=", filename).executeTakeFirst();
}

/** The names among these that belong to an upload. */
export async function selectKnown(db: Db, filenames: readonly string[]): Promise<Set<string>> {
  if (filenames.length === 0) return new Set();
  const rows = await db.selectFrom("uploads").select("filename").where("filename", "in", filenames).execute();
  return new Set(rows.map((row) => row.filename));
}

/** The size of every upload in bytes, by its filename. */
export async function selectSizes(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("uploads").select(["filename", "size"]).execute();
  return new Map(rows.map(({ filename, size }) => [filename, size]));
}

/** Bytes of all uploads of a person and of all bots that they ever made. */
export async function sumOfUploads(db: Db, personId: string): Promise<number> {
  const sum = await db
    .selectFrom("upload_sums")
    .select("bytes")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return sum?.bytes ?? 0;
}

/** Bytes of all uploads of all people, and how many they are: as many rows are read as people who uploaded anything. */
export async function sumOfAllUploads(db: Db): Promise<{ bytes: number; count: number }> {
  const { bytes, count } = await db
    .selectFrom("upload_sums")
    .select((eb) => [
      eb.fn.sum<number | string>("bytes").as("bytes"),
      eb.fn.sum<number | string>("count").as("count"),
    ])
    .executeTakeFirstOrThrow();
  return { bytes: Number(bytes ?? 0), count: Number(count ?? 0) };
}
