// Measures how late the event loop was at worst: a timer notes by how much it is overdue.

const everyMs = 100;

/** Begins to measure. The function returned tells the longest delay since its last call, in seconds; 0 at first. */
export function measureLag(): () => number {
  let worstMs = 0;
  let expected = performance.now() + everyMs;
  const note = () => {
    worstMs = Math.max(worstMs, performance.now() - expected);
  };
  setInterval(() => {
    note();
    expected = performance.now() + everyMs;
  }, everyMs).unref();
  return () => {
    // A caller right after a long standstill may come before the timer.
    note();
    const worst = worstMs;
    worstMs = 0;
    return worst / 1000;
  };
}
