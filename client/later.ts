// The timers of a connection, as a function that a test can replace to turn the clock by hand.

/** Calls `run` after so many milliseconds; returns the function that cancels it. */
export type Later = (ms: number, run: () => void) => () => void;

export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
