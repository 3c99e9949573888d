// The first file of a backup: says what the backup is, for people and for the Hearth that restores it.
import { z } from "zod";
import { isFilename } from "../../features/files/naming.ts";
import { version } from "../../server/config/version.ts";

/**
 * Raised when an older Hearth could not read the backup. A backup of the second format has `let-go.json`; one without it
 * stays of the first.
 */
const formats = [1, 2] as const;

export const headName = "hearth.json";
export const sumsName = "SHA256SUMS";
/** Behind the uploads, where some of them could go with deleted messages while the backup was made: names of those. */
export const letGoName = "let-go.json";
export const uploadsFolder = "uploads/";

const headSchema = z.object({
  format: z.literal(formats),
  /** The version of the Hearth that made the backup. */
  hearth: z.string(),
  engine: z.enum(["sqlite", "postgres"]),
  /** ISO 8601. */
  made_at: z.iso.datetime(),
  /** Names of the migrations that the database has been through. */
  migrations: z.array(z.string()),
  /** Uploads that the database names but that were missing from the data folder. */
  missing_uploads: z.array(z.string()),
  /** By table: its rows and their checksum; not in backups of older Hearths. */
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

/** Undefined when the text is no list of uploads. */
export function readLetGo(text: string): string[] | undefined {
  return z.array(z.string().refine(isFilename)).safeParse(parsed(text)).data;
}

/** The backup was made by a Hearth that knew more than this one. */
export class TooNew extends Error {
  override name = "TooNew";
}

/** Undefined when the text is no head. Throws TooNew. */
export function readHead(text: string): BackupHead | undefined {
  const given = parsed(text);
  const newer = z.object({ format: z.int().gt(Math.max(...formats)), hearth: z.string() }).safeParse(given);
  if (newer.success) throw new TooNew(`it was made by a newer Hearth (${newer.data.hearth})`);
  return headSchema.safeParse(given).data;
}

/** The number of uploads, in words. */
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
