// The table of uploads: stored name, owner, the owner's name for the file, its type by content, and of a picture its
// size in pixels. Previews are uploads of the same owner.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { isAvatarFile } from "./naming.ts";

export interface UploadsTable {
  /** The stored name: random, with its extension, and the end of the URL. */
  filename: string;
  owner_id: string;
  /** The name that the owner gave. */
  name: string;
  /** In bytes. */
  size: number;
  content_type: string;
  created_at: number;
  /** The displayed size of a picture that could be decoded; null for every other file. */
  width: number | null;
  height: number | null;
  /** The picture of which this is the preview; null for other uploads. */
  preview_of: string | null;
  /** 0 for a picture that waits to be inspected, else 1. */
  is_inspected: 0 | 1;
  /** 1 for a picture that may be animated. */
  is_animated: 0 | 1;
}

/** An upload with the stored name of its preview. */
export interface Upload extends UploadsTable {
  preview: string | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    uploads: UploadsTable;
    /**
     * Sums over all uploads of a person and of all bots that they ever made: bytes and number. There is no row before
     * the first upload.
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
    "0047_pictures": { up: (db) => addPictures(db, type) },
    "0053_upload_counts": { up: (db) => addCounts(db, type) },
    "0064_moving_pictures": expanding({ up: (db) => addAnimated(db, type) }),
  };
}

type MigrationDb = Parameters<Migration["up"]>[0];
type ColumnTypes = ReturnType<typeof columnTypes>;

async function addPictures(db: MigrationDb, type: ColumnTypes): Promise<void> {
  for (const side of ["width", "height"])
    await db.schema.alterTable("uploads").addColumn(side, type.integer).execute();
  await db.schema
    .alterTable("uploads")
    // A preview is deleted with its picture.
    .addColumn("preview_of", type.text, (c) => c.references("uploads.filename").onDelete("cascade"))
    .execute();
  await db.schema
    .alterTable("uploads")
    .addColumn("is_inspected", type.integer, (c) => c.notNull().defaultTo(1))
    .execute();
  await sql`update uploads set is_inspected = 0 where content_type like 'image/%'`.execute(db);
  await db.schema.createIndex("uploads_preview").unique().on("uploads").column("preview_of").execute();
  await sql`create index uploads_uninspected on uploads (filename) where is_inspected = 0`.execute(db);
}

async function addCounts(db: MigrationDb, type: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("upload_sums")
    .addColumn("count", type.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update upload_sums set count = counted.count from (
      select coalesce(users.owner_id, users.id) as person_id, count(*) as count
      from uploads join users on users.id = uploads.owner_id
      group by coalesce(users.owner_id, users.id)
    ) as counted where counted.person_id = upload_sums.person_id`.execute(db);
}

async function addAnimated(db: MigrationDb, type: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("uploads")
    .addColumn("is_animated", type.integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

function uploadsAmong(db: Db, filenames: readonly string[]) {
  return db
    .selectFrom("uploads")
    .leftJoin("uploads as previews", "previews.preview_of", "uploads.filename")
    .selectAll("uploads")
    .select("previews.filename as preview")
    .where("uploads.filename", "in", filenames)
    .where("uploads.preview_of", "is", null);
}

/** Returns those of these uploads that belong to this person, without previews. */
export async function selectUploadsOf(
  db: Db,
  ownerId: string,
  filenames: readonly string[],
): Promise<Upload[]> {
  return uploadsAmong(db, filenames).where("uploads.owner_id", "=", ownerId).execute();
}

/** Returns these uploads, whoever owns them, without previews. */
export async function selectUploads(db: Db, filenames: readonly string[]): Promise<Upload[]> {
  return uploadsAmong(db, filenames).execute();
}

/** Returns the next picture that waits to be inspected. */
export function selectUninspected(db: Db): Promise<UploadsTable | undefined> {
  return db
    .selectFrom("uploads")
    .selectAll()
    .where("is_inspected", "=", 0)
    .orderBy("filename")
    .limit(1)
    .executeTakeFirst();
}

export async function countUninspected(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("uploads")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("is_inspected", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns false if the picture was inspected already. */
export async function updateInspected(
  db: Db,
  filename: string,
  { width, height }: { width: number | null; height: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("uploads")
    .set({ width, height, is_inspected: 1 })
    .where("filename", "=", filename)
    .where("is_inspected", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Inserts an upload and adds to the sum of `personId`, whose row must be locked. */
export async function insertUpload(db: Db, personId: string, row: UploadsTable): Promise<void> {
  // A preview takes space, but does not count as an uploaded file.
  const count = row.preview_of === null ? 1 : 0;
  await db.insertInto("uploads").values(row).execute();
  await db
    .insertInto("upload_sums")
    .values({ person_id: personId, bytes: row.size, count })
    .onConflict((conflict) =>
      conflict.column("person_id").doUpdateSet((eb) => ({
        bytes: eb("upload_sums.bytes", "+", row.size),
        count: eb("upload_sums.count", "+", count),
      })),
    )
    .execute();
}

/** Inserts the files of an own picture, which count for nobody. */
export async function insertAvatarFiles(db: Db, rows: readonly UploadsTable[]): Promise<void> {
  await db.insertInto("uploads").values(rows).execute();
}

export function selectUpload(db: Db, filename: string): Promise<UploadsTable | undefined> {
  return db.selectFrom("uploads").selectAll().where("filename", "=", filename).executeTakeFirst();
}

/** Locks the row of an upload until the transaction ends. */
export async function lockUpload({ db, locksRows }: UnitOfWork, filename: string): Promise<void> {
  const row = db.selectFrom("uploads").select("filename").where("filename", "=", filename);
  if (locksRows) await row.forUpdate().execute();
}

export function selectPreview(db: Db, filename: string): Promise<UploadsTable | undefined> {
  return db.selectFrom("uploads").selectAll().where("preview_of", "=", filename).executeTakeFirst();
}

/**
 * Deletes the row of a file and that of its preview. Subtracts them from the sum of `personId`, whose row must be
 * locked; the file of an own picture is in no sum.
 */
export async function deleteUpload(db: Db, personId: string, rows: readonly UploadsTable[]): Promise<void> {
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  await db
    .deleteFrom("uploads")
    .where(
      "filename",
      "in",
      rows.map(({ filename }) => filename),
    )
    .execute();
  if (rows.some(({ filename }) => isAvatarFile(filename))) return;
  await db
    .updateTable("upload_sums")
    .set((eb) => ({ bytes: eb("bytes", "-", bytes), count: eb("count", "-", 1) }))
    .where("person_id", "=", personId)
    .execute();
}

/** A subquery for the upload named by a column of the outer query. */
export function uploadOf(db: Db, column: string) {
  return db
    .selectFrom("uploads")
    .select("uploads.filename")
    .where("uploads.filename", "=", sql.ref<string>(column));
}

/** Names per query: databases limit the number of values. */
const namesAtOnce = 1000;

/** Returns those of these names that belong to an upload. */
export async function selectKnown(db: Db, filenames: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < filenames.length; at += namesAtOnce) {
    const some = filenames.slice(at, at + namesAtOnce);
    const rows = await db.selectFrom("uploads").select("filename").where("filename", "in", some).execute();
    for (const { filename } of rows) known.add(filename);
  }
  return known;
}

/** Returns the size of every upload in bytes, including previews, by filename. */
export async function selectSizes(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("uploads").select(["filename", "size"]).execute();
  return new Map(rows.map(({ filename, size }) => [filename, size]));
}

/** Returns the bytes of all uploads of a person and of all bots that they ever made. */
export async function sumOfUploads(db: Db, personId: string): Promise<number> {
  const sum = await db
    .selectFrom("upload_sums")
    .select("bytes")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return sum?.bytes ?? 0;
}

/** Returns bytes and number of all uploads; reads a row per person who uploaded anything. */
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
