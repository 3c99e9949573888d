// Records which message has which file: a file is removed a day after the last message that had it.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { listedRows } from "../../server/database/listed.ts";
import { expanding } from "../../server/database/migrate.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectKnown, uploadOf } from "./store.ts";

interface UsesTable {
  filename: string;
  message_id: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    file_uses: UsesTable;
    /**
     * Files of deleted messages. At `due_at` the upload is removed if no message has it. Without its upload, a file
     * stays in this table until its bytes are removed.
     */
    file_releases: { filename: string; due_at: number };
  }
}

export function usesMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0081_file_uses": expanding({
      async up(db) {
        await db.schema
          .createTable("file_uses")
          // This reference rejects a message whose file is removed at the same moment.
          .addColumn("filename", type.text, (c) => c.notNull().references("uploads.filename"))
          .addColumn("message_id", type.uuid, (c) => c.notNull())
          .addPrimaryKeyConstraint("file_uses_pk", ["filename", "message_id"])
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await db.schema
          .createTable("file_releases")
          .addColumn("filename", type.text, (c) => c.primaryKey().notNull())
          .addColumn("due_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("file_releases_due").on("file_releases").column("due_at").execute();
      },
    }),
  };
}

export function insertUses(unit: UnitOfWork, uses: readonly UsesTable[]): void {
  for (const use of uses) unit.append("file_uses", use);
}

/** Inserts uses that may be recorded already; uses of a removed file are left out. */
export async function insertMissingUses(db: Db, uses: readonly UsesTable[]): Promise<void> {
  const known = await selectKnown(
    db,
    uses.map(({ filename }) => filename),
  );
  const rows = uses.filter(({ filename }) => known.has(filename));
  if (rows.length === 0) return;
  await db
    .insertInto("file_uses")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteUses(db: Db, uses: readonly UsesTable[]): Promise<void> {
  await db
    .deleteFrom("file_uses")
    .where((eb) =>
      eb(
        eb.refTuple("file_uses.filename", "file_uses.message_id"),
        "in",
        eb
          .selectFrom(given(db, uses).as("given"))
          .select(["given.filename", "given.message_id"])
          .$asTuple("filename", "message_id"),
      ),
    )
    .execute();
}

function given(db: Db, uses: readonly UsesTable[]) {
  return listedRows<UsesTable>(db, JSON.stringify(uses), { filename: "text", message_id: "uuid" });
}

export async function isUsed(db: Db, filename: string): Promise<boolean> {
  const uses = db.selectFrom("file_uses").select("filename").where("filename", "=", filename);
  return (await uses.limit(1).execute()).length > 0;
}

/** Sets when these files are due, replacing earlier times; files without an upload are left out. */
export async function releaseAt(db: Db, filenames: readonly string[], due_at: number): Promise<void> {
  await deleteReleases(db, filenames);
  await releaseUnlessDue(db, filenames, due_at);
}

/** Like `releaseAt`, but a file that is due later keeps its time. */
export async function releaseNotBefore(db: Db, filenames: readonly string[], due_at: number): Promise<void> {
  await db
    .deleteFrom("file_releases")
    .where("filename", "in", filenames)
    .where("due_at", "<", due_at)
    .execute();
  await releaseUnlessDue(db, filenames, due_at);
}

/** Like `releaseAt`, but a file that has a time keeps it. */
export async function releaseUnlessDue(db: Db, filenames: readonly string[], due_at: number): Promise<void> {
  const known = [...(await selectKnown(db, filenames))];
  if (known.length === 0) return;
  await db
    .insertInto("file_releases")
    .values(known.map((filename) => ({ filename, due_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function dueFiles(db: Db, now: number, limit: number) {
  return db
    .selectFrom("file_releases")
    .select("filename")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(limit);
}

/** Returns whether the file is due, and if so locks its row of `file_releases` until the transaction ends. */
export async function lockIfDue(
  { db, locksRows }: UnitOfWork,
  filename: string,
  now: number,
): Promise<boolean> {
  const due = db
    .selectFrom("file_releases")
    .select("filename")
    .where("filename", "=", filename)
    .where("due_at", "<=", now);
  return (await (locksRows ? due.forUpdate() : due).execute()).length > 0;
}

/** Returns at most `limit` of the uploads that are due. */
export async function selectDueUploads(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await dueFiles(db, now, limit)
    .where((eb) => eb.exists(uploadOf(db, "file_releases.filename")))
    .execute();
  return rows.map(({ filename }) => filename);
}

/** Returns at most `limit` of the due files that have no upload any more. */
export async function selectDueBytes(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await dueFiles(db, now, limit)
    .where((eb) => eb.not(eb.exists(uploadOf(db, "file_releases.filename"))))
    .execute();
  return rows.map(({ filename }) => filename);
}

/** Corrects due times written by a clock that was ahead. */
export async function bringForward(house: House, latest: number): Promise<void> {
  const ahead = house.database.read
    .selectFrom("file_releases")
    .select("filename")
    .where("due_at", ">", latest);
  if ((await ahead.limit(1).execute()).length === 0) return;
  await house.write(({ db }) =>
    db.updateTable("file_releases").set({ due_at: latest }).where("due_at", ">", latest).execute(),
  );
}

export async function postponeReleases(db: Db, filenames: readonly string[], due_at: number): Promise<void> {
  await db.updateTable("file_releases").set({ due_at }).where("filename", "in", filenames).execute();
}

export async function deleteReleases(db: Db, filenames: readonly string[]): Promise<void> {
  await db.deleteFrom("file_releases").where("filename", "in", filenames).execute();
}
