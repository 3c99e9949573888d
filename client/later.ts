// Doing something later: the one clock that a connection goes by, so that a test can turn it by hand.

/** Runs something after so many milliseconds; returns what calls it off. */
export type Later = (ms: number, run: () => void) => () => void;

export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
