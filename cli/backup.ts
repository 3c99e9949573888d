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
import { passphraseIn } from "../server/passphrase.ts";
import { mustExist } from "./admin.ts";
import {
  headName,
  headOf,
  letGoName,
  uploadsFolder,
  uploadsInWords,
  writtenHead,
  writtenLetGo,
} from "./archive/head.ts";
import { ArchiveWriter } from "./archive/writer.ts";
import { copiesOf, engineOf } from "./copies/open.ts";
import { readPieces } from "./disk.ts";
import { FileOutput, type Output, StandardOutput } from "./output.ts";
import { withCopyFolder } from "./plain-copy.ts";
import { inFolder } from "./work-folder.ts";

const lessUrgent = 10;
const zeros = new Uint8Array(64 * 1024);

export async function backup(file: string, config: Config): Promise<number> {
  // Runs with lower priority than the server.
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

/** Wraps the output in encryption if it is set; loads the library only then. */
async function asSet(output: Output, { backupPassphraseFile: file }: Config): Promise<Output> {
  if (file === undefined) return output;
  const { encrypted } = await import("./archive/encryption.ts");
  return encrypted(output, await passphraseIn(file));
}

/** Writes the backup. Returns a summary for the operator. */
async function write(config: Config, folder: string, output: Output): Promise<string> {
  const copies = await copiesOf(engineOf(config));
  const copy = join(folder, copies.filename);
  const tables = await copies.make(config, copy);
  // Uploads are copied after the database: a file is stored before any row names it, and never changes. Files of
  // deleted messages may be removed meanwhile, each after its row.
  const { migrations, uploads } = await copies.look(copy);
  if (migrations.length === 0) throw new CannotStart("There is no Hearth in this database yet.");
  const store = await keptUploads(config);
  const [where, setting] = config.s3 ? ["the S3 store", "S3_URL"] : [config.dataDir, "DATA_DIR"];
  const absent = await missingOf(uploads, store);
  for (const filename of absent) uploads.delete(filename);
  const named = await copies.stillNamed(config, absent);
  const missing = absent.filter((filename) => named.has(filename));
  if (uploads.size === 0 && missing.length > 0)
    throw new CannotStart(`None of the ${missing.length} uploads is in ${where}. Check ${setting}.`);
  const letGo = absent.filter((filename) => !named.has(filename));
  // The head is written before it is known which uploads will be removed: those recorded for removal may be. One that
  // is not recorded yet stays for a day.
  const format = letGo.length > 0 || tables.file_releases?.rows ? 2 : 1;
  const archive = new ArchiveWriter(output);
  const { engine } = copies;
  const head = writtenHead(headOf({ format, engine, migrations, missing_uploads: missing, tables }));
  await archive.add(headName, head.length, once(head));
  await archive.add(copies.filename, (await lstat(copy)).size, readPieces(copy));
  const changed = await addUploads(archive, uploads, store, async (filename) => {
    const isGone = (await copies.stillNamed(config, [filename])).size === 0;
    if (isGone) letGo.push(filename);
    return isGone;
  });
  if (format === 2 || letGo.length > 0) {
    const names = writtenLetGo(letGo);
    await archive.add(letGoName, names.length, once(names));
  }
  await archive.finish();
  await output.finish();
  const megabytes = (archive.bytes / 1e6).toFixed(1);
  const went = letGo.length > 0 ? `; ${letGo.length} more went with deleted messages meanwhile` : "";
  const lines = [
    `${output.name} has the database and ${uploadsInWords(uploads.size)}, ${megabytes} MB${went}.`,
    ...told(missing, "that the database names", `not in ${where}`),
    ...told(changed, `in ${where}`, "not as written"),
  ];
  return lines.join("\n");
}

/** Returns uploads that are not as they were written. Deletes from `uploads` those that are removed meanwhile. */
async function addUploads(
  archive: ArchiveWriter,
  uploads: Map<string, number>,
  store: KeptBlobs,
  isLetGo: (filename: string) => Promise<boolean>,
): Promise<string[]> {
  const changed: string[] = [];
  for (const [filename, size] of uploads) {
    const goes = async () => {
      const isGone = await isLetGo(filename);
      if (isGone) uploads.delete(filename);
      return isGone;
    };
    const blob = await store.find(filename);
    if (!blob && (await goes())) continue;
    const bytes = filledUp(blob ? piecesOf(blob.bytes()) : none(), size, goes);
    const sum = await archive.add(uploadsFolder + filename, size, bytes);
    // Corrupted bytes are better than none: the backup keeps them, and reports them.
    if (uploads.has(filename) && sum !== (blob?.sha256 ?? sum)) changed.push(filename);
  }
  return changed;
}

/**
 * Pads an upload that is removed while it is read with zeros, as the archive has already stated its size. Any other
 * fault of an upload is thrown.
 */
async function* filledUp(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
  isLetGo: () => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  let left = size;
  let fault: unknown;
  try {
    for await (const part of bytes) {
      left -= part.length;
      yield part;
    }
  } catch (error) {
    fault = error;
  }
  if (left === 0 && !fault) return;
  if (await isLetGo()) for (; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
  else if (fault) throw fault;
}

/** Returns a line about these uploads, if there are any. */
function told([first, ...others]: readonly string[], which: string, how: string): string[] {
  if (first === undefined) return [];
  const are = others.length === 0 ? "is" : "are";
  return [`${uploadsInWords(others.length + 1)} ${which} ${are} ${how} (${first}).`];
}

/** Returns the uploads that are missing or incomplete. */
async function missingOf(uploads: ReadonlyMap<string, number>, store: KeptBlobs): Promise<string[]> {
  const missing = new Map(uploads);
  for await (const { name, size } of store.all()) if (missing.get(name) === size) missing.delete(name);
  return [...missing.keys()];
}

/** Requires the engine of the running server: with other settings the command would back up another database. */
async function mustBeOurs(config: Config): Promise<void> {
  const answer = await askRunning(config.dataDir, whoIsThere);
  const engine = answer?.lines[2];
  if (engine === undefined || engine === engineOf(config)) return;
  const says =
    engine === "postgres" ? "uses PostgreSQL: give this command its" : "does not use PostgreSQL: leave out";
  throw new CannotStart(`The Hearth that runs on ${config.dataDir} ${says} DATABASE_URL.`);
}

async function* none(): AsyncGenerator<Uint8Array> {}

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
