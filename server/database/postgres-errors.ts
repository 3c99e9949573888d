// Classifies PostgreSQL's errors: a collision of two transactions, a lost connection, or a server that is helpless.
import { movedSentence } from "./moved.ts";

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isCollision(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/** SQLSTATEs of a lost connection. 25P03: PostgreSQL ended it, because the transaction was idle for too long. */
const sqlStates = /^(08|57P0|25P03|53300)/;
/** System errors: connection broken, refused or impossible, unknown host, no free file descriptor. */
const ofNetwork = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|ADDRNOTAVAIL|NOTFOUND|AI_|MFILE|NFILE)/;

/** True if the connection broke, so that the statement may have run nevertheless. */
export function isConnectionLoss(error: unknown): boolean {
  if (sqlStates.test(codeOf(error)) || ofNetwork.test(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout (expired|exceeded)|Client has encountered)/.test(error.message)
  );
}

/** True if the server answers, but rejects the user, the password or the database. */
export function isRefusal(error: unknown): boolean {
  return /^(28|3D|42)/.test(codeOf(error));
}

/** True if another transaction held a row, and did not release it in time. */
export function isHeld(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** No memory or disk left, a failing disk, no right to write, a canceled statement, or a lock timeout. */
export function isHelpless(error: unknown): boolean {
  return /^(53|58|25006|42501|57014|55P03)/.test(codeOf(error));
}

/**
 * True if the database refuses writes on this connection: read-only is set for its database or role, or the server has
 * become a standby.
 */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** The reason why writing is impossible, as a sentence for the operator; undefined for other errors. */
export function writeTrouble(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === "53100") return "the disk of PostgreSQL is full";
  if (code.startsWith("58")) return "the disk of PostgreSQL fails";
  if (isReadOnly(error))
    return (error as Error).message === movedSentence ? movedSentence : "PostgreSQL allows only reads";
  if (code === "42501") return "PostgreSQL does not let the role in DATABASE_URL write";
  return undefined;
}
