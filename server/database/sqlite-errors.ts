// Classifies SQLite's errors: the disk takes no writes, the file is damaged, or the statement was wrong.

import { Damaged, InDoubt } from "./database.ts";
import { movedSentence } from "./moved.ts";
import { StorageFault } from "./write-gate.ts";

/** Disk faults, or another program that holds the file: the same statement may succeed later. */
const passing = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|PROTOCOL|PERM|NOMEM|NOLFS)/;
/** Read errors among them: they concern one page, and writes may go on. */
const ofReading = /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS|DATA|NOMEM)/;
const ofDamage = /^SQLITE_(CORRUPT|NOTADB|IOERR_CORRUPTFS|IOERR_DATA)/;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isAway(error: unknown): boolean {
  return (
    error instanceof StorageFault ||
    error instanceof InDoubt ||
    passing.test(codeOf(error)) ||
    hasMoved(error)
  );
}

function hasMoved(error: unknown): boolean {
  return codeOf(error) === "SQLITE_CONSTRAINT_TRIGGER" && (error as Error).message === movedSentence;
}

/** For the Database interface: with a single writer, no row is held by another transaction. */
export const sqliteErrors = { isAway, isHeld: () => false };

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** A sentence for the operator that says why nothing can be written; undefined for other errors. */
export function writeTrouble(error: unknown): string | undefined {
  if (hasMoved(error)) return movedSentence;
  const code = codeOf(error);
  if (!passing.test(code) || ofReading.test(code)) return undefined;
  if (code === "SQLITE_FULL") return "the disk of the database is full";
  if (code.startsWith("SQLITE_READONLY")) return "the database file cannot be written to";
  if (isBusy(error)) return "another program holds the database";
  return `the disk of the database fails (${code})`;
}

/** The error as it is logged: for a damaged file, with what to do about it. */
export function explained(error: unknown): unknown {
  if (!ofDamage.test(codeOf(error))) return error;
  return new Damaged(
    "The database file is damaged. Stop Hearth, keep a copy of the data folder, and run `npx hearth doctor`.",
    { cause: error },
  );
}
