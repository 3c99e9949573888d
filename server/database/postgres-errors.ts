// What PostgreSQL's errors mean: a collision of two transactions, a lost connection, or a server that cannot do its work.

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isCollision(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/** Whether a statement that failed with it may have been carried out all the same. */
export function isConnectionLoss(error: unknown): boolean {
  if (/^(08|57P0|53300|E(CONN|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH))/.test(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout (expired|exceeded)|Client has encountered)/.test(error.message)
  );
}

/** No memory or disk left, a disk that fails, only reads allowed, a statement that waited too long for a lock. */
export function isHelpless(error: unknown): boolean {
  return /^(53|58|25006|57014|55P03)/.test(codeOf(error));
}
