// How long PostgreSQL, and the rows that another transaction holds, are waited for.

/** In milliseconds. A server has the usual one; tests of these limits have less of it, and others more. */
export interface Patience {
  /** For the answer to a statement, and for a connection that is free. */
  answerMs: number;
  /** PostgreSQL gives a statement up before we do, which leaves the connection usable. */
  statementMs: number;
  /**
   * PostgreSQL ends the connection of a transaction that stands idle for longer, because a process that is stopped or
   * whose machine has vanished would keep its row locks for hours.
   */
  idleMs: number;
  /** A transaction waits no longer than this for a row lock. */
  lockMs: number;
  /** Work that met a row lock is tried again for so long: a bit less than for a database that is silent. */
  heldMs: number;
}

export const usualPatience: Patience = {
  answerMs: 15_000,
  statementMs: 14_000,
  idleMs: 4000,
  lockMs: 1000,
  heldMs: 13_000,
};
