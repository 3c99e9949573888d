// The timer function of a connection, which tests replace to advance the clock by hand.

/** Calls `run` after `ms` milliseconds; returns the function that cancels it. */
export type Later = (ms: number, run: () => void) => () => void;

export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
