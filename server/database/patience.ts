// Time limits for PostgreSQL's answers, and for rows that another transaction holds.

/** In milliseconds. Servers use the usual limits; tests of them use shorter ones, other tests longer ones. */
export interface Patience {
  /** For the answer to a statement, and for a free connection. */
  answerMs: number;
  /** PostgreSQL's own statement timeout, shorter than ours, which leaves the connection usable. */
  statementMs: number;
  /**
   * PostgreSQL ends the connection of a transaction that is idle for longer, because a process that is stopped or whose
   * machine has vanished would keep its row locks for hours.
   */
  idleMs: number;
  /** The longest that a transaction waits for a row lock. */
  lockMs: number;
  /** How long work that met a row lock is retried: a bit less than the limit for a silent database. */
  heldMs: number;
}

export const usualPatience: Patience = {
  answerMs: 15_000,
  statementMs: 14_000,
  idleMs: 4000,
  lockMs: 1000,
  heldMs: 13_000,
};
