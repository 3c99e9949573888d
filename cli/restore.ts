// `hearth restore FILE`: restores a backup into an empty folder; with `--check`, only checks the backup.
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { reason } from "../server/house/check.ts";
import { allMigrations, restoreFolder } from "../server/open.ts";
import { askRunning, whoIsThere } from "../server/operator/socket.ts";
import { type BackupHead, TooNew, uploadsFolder, uploadsInWords } from "./archive/head.ts";
import { type ReadBackup, readBackup } from "./archive/reader.ts";
import { DamagedArchive } from "./archive/tar.ts";
import type { Copies } from "./copies/copies.ts";
import { copiesOf, engineOf } from "./copies/open.ts";
import { readPieces, syncFolder, writeAll } from "./disk.ts";
import { firstDifference } from "./moving/sums.ts";
import { inFolder } from "./work-folder.ts";

/**
 * Returns exit code 0 when every checksum matches, the database is intact, a trial restore has the recorded content in
 * each table, and all uploads that it names are there.
 */
export async function checkBackup(file: string, config: Config): Promise<number> {
  try {
    await inFolder(join(tmpdir(), "hearth-check-"), async (folder) => {
      const read = await unpack(source(file, config), folder, copiesFor, async (_, bytes) => {
        for await (const _part of bytes);
      });
      const tried = await tryOut(read.head, folder, config);
      console.log(`${described(file, read)}\n${tried}It is whole.`);
    });
    return 0;
  } catch (error) {
    throw asSentence(error, file, `${tmpdir()} (TMPDIR)`);
  }
}

/**
 * Restores the database in a trial and compares it. Returns a line about that; an empty one for a backup of an older
 * Hearth, which has no checksums of tables.
 */
async function tryOut(head: BackupHead, folder: string, config: Config): Promise<string> {
  if (!head.tables) return "";
  const copies = await copiesOf(head.engine);
  const found = await copies.tryOut(config, join(folder, copies.filename));
  if (typeof found === "string") return `${found}\n`;
  const name = firstDifference(head.tables, found);
  if (name !== undefined)
    throw new DamagedArchive(`restored aside, its table ${name} does not hold what it held`);
  const rows = Object.values(found).reduce((sum, table) => sum + table.rows, 0);
  return `Restored aside, its ${Object.keys(found).length} tables hold the ${rows} rows that they held.\n`;
}

/** Restores into DATA_DIR and the configured database. Overwrites nothing. */
export async function restore(file: string, config: Config): Promise<number> {
  const { dataDir } = config;
  await mustBeEmpty(dataDir);
  const copies = await copiesOf(engineOf(config));
  const claim = await copies.claim(config);
  const staging = join(dataDir, restoreFolder);
  const uploads = join(staging, uploadsFolder);
  let isFilled = false;
  try {
    await mkdir(uploads, { recursive: true, mode: 0o700 });
    const fitting = async (head: BackupHead) => expectEngine(await copiesFor(head), copies);
    const read = await unpack(source(file, config), staging, fitting, (filename, bytes) =>
      keep(join(uploads, filename), bytes),
    );
    // The rows of these uploads are removed soon after the next start.
    for (const filename of read.letGo) await rm(join(uploads, filename), { force: true });
    await claim.fill(join(staging, copies.filename));
    isFilled = true;
    await rename(uploads, join(dataDir, uploadsFolder));
    await syncFolder(dataDir);
    await rm(staging, { recursive: true });
    const first = config.s3 && read.uploads.size > 0 ? "run hearth blobs copy --to s3, and " : "";
    console.log(
      `${described(file, read)}\nIt is in ${resolve(dataDir)} now: ${first}start Hearth with this DATA_DIR.`,
    );
    return 0;
  } catch (error) {
    // Once the database is in place, the folder stays: it keeps a server from starting on a half restored house.
    if (!isFilled) await rm(staging, { recursive: true, force: true });
    throw asSentence(error, file, dataDir);
  } finally {
    await claim.release();
  }
}

/** Reads the whole backup, and writes its database into the folder. Throws at the first fault. */
async function unpack(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  accept: (head: BackupHead) => Promise<Copies>,
  upload: (filename: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<ReadBackup> {
  let copies: Copies | undefined;
  let database = "";
  const read = await readBackup(bytes, {
    async begins(head) {
      copies = await accept(head);
      database = join(folder, copies.filename);
      return copies.filename;
    },
    database: (bytes) => keep(database, bytes),
    upload,
  });
  if (!copies) throw new DamagedArchive("it is no backup of Hearth");
  const [trouble] = await copies.trouble(database);
  if (trouble) throw new DamagedArchive(`its database is not intact (${trouble.replace(/\.$/, "")})`);
  const facts = await copies.look(database);
  const missing = new Set([...read.head.missing_uploads, ...read.letGo]);
  for (const [filename, size] of facts.uploads)
    if (!missing.has(filename) && read.uploads.get(filename) !== size)
      throw new DamagedArchive(`the upload ${filename} that its database names is not in it`);
  return read;
}

async function mustBeEmpty(dataDir: string): Promise<void> {
  if (await askRunning(dataDir, whoIsThere))
    throw new CannotStart(`A Hearth runs on ${dataDir}. Restore into another folder: --data-dir names it.`);
  let inside: string[];
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    inside = await readdir(dataDir);
  } catch (error) {
    throw new CannotStart(`The data folder ${dataDir} (DATA_DIR) cannot be used: ${reason(error)}.`);
  }
  if (inside.includes(restoreFolder))
    throw new CannotStart(
      `A restore into ${dataDir} is under way, or was cut off. If so, empty the folder first.`,
    );
  if (inside.length > 0)
    throw new CannotStart(
      `${dataDir} is not empty, and nothing is overwritten. Restore into another folder: --data-dir names it.`,
    );
}

/** Throws TooNew for a backup that this Hearth could not run on. */
async function copiesFor({ engine, hearth, migrations }: BackupHead): Promise<Copies> {
  const known = allMigrations(features, engine);
  if (migrations.some((name) => !(name in known)))
    throw new TooNew(`it was made by a newer Hearth (${hearth})`);
  return copiesOf(engine);
}

function expectEngine(given: Copies, wanted: Copies): Copies {
  if (given.engine === wanted.engine) return given;
  throw new CannotStart(
    given.engine === "postgres"
      ? "This is a backup of PostgreSQL: name an empty database in DATABASE_URL."
      : "This is a backup of the embedded database: leave out DATABASE_URL.",
  );
}

async function* source(file: string, { backupPassphraseFile }: Config): AsyncGenerator<Uint8Array> {
  const { decrypted } = await import("./archive/encryption.ts");
  yield* decrypted(file === "-" ? process.stdin : readPieces(file), backupPassphraseFile);
}

async function keep(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of bytes) await writeAll(file, part);
    await file.sync();
  } finally {
    await file.close();
  }
}

function described(file: string, { head, uploads, letGo }: ReadBackup): string {
  const engine = head.engine === "postgres" ? "PostgreSQL" : "SQLite";
  const made = `${file}: made ${head.made_at} by Hearth ${head.hearth} (${engine}), with ${uploadsInWords(uploads.size)}.`;
  const missing = head.missing_uploads.length;
  const more: [number, string][] = [
    [missing, `more ${missing === 1 ? "was" : "were"} missing already when it was made.`],
    [letGo.length, "more went with deleted messages while it was made."],
  ];
  return [made, ...more.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`))].join(" ");
}

function asSentence(error: unknown, file: string, where: string): CannotStart {
  if (error instanceof CannotStart) return error;
  if (error instanceof TooNew) return new CannotStart(`${file} cannot be read: ${error.message}.`);
  if (error instanceof DamagedArchive) return new CannotStart(`${file} is damaged: ${error.message}.`);
  const { code = "", path } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return new CannotStart(`There is not enough room in ${where}.`);
  if (code === "ENOENT" && path === file) return new CannotStart(`There is no file ${file}.`);
  return new CannotStart(`${file} could not be read: ${reason(error)}.`);
}
