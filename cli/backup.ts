// `hearth backup FILE`: the database as of one moment and every upload that it names, while the server runs.
import { lstat } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type KeptBlobs, piecesOf } from "../server/blobs/blobs.ts";
import { keptUploads } from "../server/blobs/open.ts";
import { CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { reason } from "../server/house/check.ts";
import { askRunning, whoIsThere } from "../server/operator/socket.ts";
import { mustExist } from "./admin.ts";
import { headName, headOf, uploadsFolder, uploadsInWords, writtenHead } from "./archive/head.ts";
import { ArchiveWriter } from "./archive/writer.ts";
import { copiesOf, engineOf } from "./copies/open.ts";
import { readPieces } from "./disk.ts";
import { FileOutput, type Output, StandardOutput } from "./output.ts";
import { withCopyFolder } from "./plain-copy.ts";
import { inFolder } from "./work-folder.ts";

const lessUrgent = 10;

export async function backup(file: string, config: Config): Promise<number> {
  // Runs with less priority than the server.
  setPriority(lessUrgent);
  await mustBeOurs(config);
  mustExist(config);
  const target = file === "-" ? undefined : resolve(file);
  try {
    if (target !== undefined) await FileOutput.mustNotExist(target);
    const prefix = target === undefined ? join(tmpdir(), "hearth-backup-") : `${target}.part-`;
    await inFolder(prefix, async (folder) => {
      const plain = target === undefined ? new StandardOutput() : await FileOutput.open(folder, target);
      const output = await asSet(plain, config);
      const made = await withCopyFolder(config, folder, (copies) => write(config, copies, output));
      // When the backup goes to standard output, messages go to standard error.
      if (target === undefined) console.error(made);
      else console.log(made);
    });
    return 0;
  } catch (error) {
    const where = target === undefined ? `${tmpdir()} (TMPDIR), or where it goes` : dirname(target);
    const isEncrypted = config.backupPassphraseFile !== undefined;
    throw new CannotStart(failure(error, isEncrypted ? `${where}, or in ${config.dataDir}` : where));
  }
}

/** The library is loaded where it is used. */
async function asSet(output: Output, { backupPassphraseFile: file }: Config): Promise<Output> {
  if (file === undefined) return output;
  const { encrypted, passphraseIn } = await import("./archive/encryption.ts");
  return encrypted(output, await passphraseIn(file));
}

/** Returns a sentence that says what was done. */
async function write(config: Config, folder: string, output: Output): Promise<string> {
  const copies = await copiesOf(engineOf(config));
  const copy = join(folder, copies.filename);
  const tables = await copies.make(config, copy);
  // Uploads are copied after the database: a file is stored before any row names it, never changes, and is not deleted
  // while a row names it.
  const { migrations, uploads } = await copies.look(copy);
  if (migrations.length === 0) throw new CannotStart("There is no Hearth in this database yet.");
  const store = await keptUploads(config);
  const [where, setting] = config.s3 ? ["the S3 store", "S3_URL"] : [config.dataDir, "DATA_DIR"];
  const missing = await missingOf(uploads, store);
  if (uploads.size > 0 && missing.length === uploads.size)
    throw new CannotStart(`None of the ${uploads.size} uploads is in ${where}. Check ${setting}.`);
  const archive = new ArchiveWriter(output);
  const head = writtenHead(headOf({ engine: copies.engine, migrations, missing_uploads: missing, tables }));
  await archive.add(headName, head.length, once(head));
  await archive.add(copies.filename, (await lstat(copy)).size, readPieces(copy));
  const gone = new Set(missing);
  for (const [filename, size] of uploads)
    if (!gone.has(filename)) await archive.add(uploadsFolder + filename, size, bytesOf(store, filename));
  await archive.finish();
  await output.finish();
  const megabytes = (archive.bytes / 1e6).toFixed(1);
  const made = `${output.name} has the database and ${uploadsInWords(uploads.size - missing.length)}, ${megabytes} MB.`;
  if (missing.length === 0) return made;
  const are = missing.length === 1 ? "is" : "are";
  return `${made}\n${uploadsInWords(missing.length)} that the database names ${are} not in ${where} (${missing[0]}).`;
}

/** Uploads that are missing or not whole. */
async function missingOf(uploads: ReadonlyMap<string, number>, store: KeptBlobs): Promise<string[]> {
  const missing = new Map(uploads);
  for await (const { name, size } of store.all()) if (missing.get(name) === size) missing.delete(name);
  return [...missing.keys()];
}

/** A command with other settings than the server's would back up another database. */
async function mustBeOurs(config: Config): Promise<void> {
  const answer = await askRunning(config.dataDir, whoIsThere);
  const engine = answer?.lines[2];
  if (engine === undefined || engine === engineOf(config)) return;
  const says =
    engine === "postgres" ? "uses PostgreSQL: give this command its" : "does not use PostgreSQL: leave out";
  throw new CannotStart(`The Hearth that runs on ${config.dataDir} ${says} DATABASE_URL.`);
}

async function* bytesOf(store: KeptBlobs, filename: string): AsyncGenerator<Uint8Array> {
  const blob = await store.find(filename);
  if (blob) yield* piecesOf(blob.bytes());
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function failure(error: unknown, where: string): string {
  if (error instanceof CannotStart) return error.message;
  const { code = "" } = error as { code?: string };
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code))
    return `There is not enough room for the backup in ${where}.`;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `The database is damaged (${reason(error)}), so there is no backup of it. hearth doctor says more.`;
  if (code === "EPIPE") return "Nobody reads the backup any more: it was cut off.";
  return `The backup could not be made: ${reason(error)}.`;
}
