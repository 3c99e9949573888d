// The first file of a backup: describes it, for people and for the Hearth that restores it.
import { z } from "zod";
import { isFilename } from "../../features/files/naming.ts";
import { version } from "../../server/config/version.ts";

/**
 * Format versions, raised when an older Hearth could not read a backup. A backup with `let-go.json` has format 2; one
 * without it still has format 1.
 */
const formats = [1, 2] as const;

export const headName = "hearth.json";
export const sumsName = "SHA256SUMS";
/**
 * The names of uploads that were removed with deleted messages while the backup was made; written after the uploads.
 */
export const letGoName = "let-go.json";
export const uploadsFolder = "uploads/";

const headSchema = z.object({
  format: z.literal(formats),
  /** The version of the Hearth that made the backup. */
  hearth: z.string(),
  engine: z.enum(["sqlite", "postgres"]),
  /** ISO 8601. */
  made_at: z.iso.datetime(),
  /** Names of the migrations applied to the database. */
  migrations: z.array(z.string()),
  /** Uploads that the database names but that were missing from the data folder. */
  missing_uploads: z.array(z.string()),
  /** The number of rows and their checksum, by table; not in backups of older Hearths. */
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })).optional(),
});

export type BackupHead = z.infer<typeof headSchema>;

export function headOf(facts: Omit<BackupHead, "hearth" | "made_at">): BackupHead {
  return { hearth: version, made_at: new Date().toISOString(), ...facts };
}

export function writtenHead(head: BackupHead): Buffer {
  return Buffer.from(`${JSON.stringify(head, null, 2)}\n`);
}

export function writtenLetGo(filenames: readonly string[]): Buffer {
  return Buffer.from(`${JSON.stringify(filenames, null, 2)}\n`);
}

/** Undefined when the text is not a list of uploads. */
export function readLetGo(text: string): string[] | undefined {
  return z.array(z.string().refine(isFilename)).safeParse(parsed(text)).data;
}

/** Thrown for a backup made by a newer Hearth than this one. */
export class TooNew extends Error {
  override name = "TooNew";
}

/** Undefined when the text is not a head. Throws TooNew. */
export function readHead(text: string): BackupHead | undefined {
  const given = parsed(text);
  const newer = z.object({ format: z.int().gt(Math.max(...formats)), hearth: z.string() }).safeParse(given);
  if (newer.success) throw new TooNew(`it was made by a newer Hearth (${newer.data.hearth})`);
  return headSchema.safeParse(given).data;
}

/** Returns the number of uploads, in words. */
export function uploadsInWords(count: number): string {
  return `${count} upload${count === 1 ? "" : "s"}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
