// What PostgreSQL's errors mean: a collision of two transactions, a lost connection, or a server that cannot do its work.

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isCollision(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

const sqlStates = /^(08|57P0|53300)/;
/** Of the system: broken, refused, no way there, no address by this name, no descriptor left for a connection. */
const ofNetwork = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|ADDRNOTAVAIL|NOTFOUND|AI_|MFILE|NFILE)/;

/** Whether a statement that failed with it may have been carried out all the same. */
export function isConnectionLoss(error: unknown): boolean {
  if (sqlStates.test(codeOf(error)) || ofNetwork.test(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout (expired|exceeded)|Client has encountered)/.test(error.message)
  );
}

/** No memory or disk left, a disk that fails, no right to write, a statement that waited too long for a lock. */
export function isHelpless(error: unknown): boolean {
  return /^(53|58|25006|42501|57014|55P03)/.test(codeOf(error));
}

/** It lasts as long as the connection does: set for its database or role, or a server that became another's standby. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** Why nothing can be written now, in a sentence for the operator; undefined when the error says nothing of the kind. */
export function writeTrouble(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === "53100") return "the disk of PostgreSQL is full";
  if (code.startsWith("58")) return "the disk of PostgreSQL fails";
  if (isReadOnly(error)) return "PostgreSQL allows only reads";
  if (code === "42501") return "PostgreSQL does not let the role in DATABASE_URL write";
  return undefined;
}
