// Measures the worst delay of the event loop: a timer records by how much it is overdue.

const everyMs = 100;

/** Starts measuring. The returned function gives the longest delay since its last call, in seconds; 0 at first. */
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
    // A caller right after a long stall may come before the timer.
    note();
    const worst = worstMs;
    worstMs = 0;
    return worst / 1000;
  };
}
