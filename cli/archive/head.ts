// The first file of a backup: what it is, for people and for the Hearth that is to take it back.
import { z } from "zod";
import { version } from "../../server/config/version.ts";

/** Raised when a Hearth of before could not read what is written now. */
const format = 1;

export const headName = "hearth.json";
export const sumsName = "SHA256SUMS";
export const uploadsFolder = "uploads/";

const headSchema = z.object({
  format: z.literal(format),
  /** Version of the Hearth that made it. */
  hearth: z.string(),
  engine: z.enum(["sqlite", "postgres"]),
  /** ISO 8601. */
  made_at: z.iso.datetime(),
  /** Names of the migrations that its database has been through. */
  migrations: z.array(z.string()),
  /** Uploads that its database names, and that were not in the data folder when it was made. */
  missing_uploads: z.array(z.string()),
});

export type BackupHead = z.infer<typeof headSchema>;

export function headOf(facts: Omit<BackupHead, "format" | "hearth" | "made_at">): BackupHead {
  return { format, hearth: version, made_at: new Date().toISOString(), ...facts };
}

export function writtenHead(head: BackupHead): Buffer {
  return Buffer.from(`${JSON.stringify(head, null, 2)}\n`);
}

/** A backup of a Hearth that knew more than this one. */
export class TooNew extends Error {
  override name = "TooNew";
}

/** Undefined when it is no head at all. Throws TooNew. */
export function readHead(text: string): BackupHead | undefined {
  const given = parsed(text);
  const newer = z.object({ format: z.int().min(format + 1), hearth: z.string() }).safeParse(given);
  if (newer.success) throw new TooNew(`it was made by a newer Hearth (${newer.data.hearth})`);
  return headSchema.safeParse(given).data;
}

/** How many they are, in words. */
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
