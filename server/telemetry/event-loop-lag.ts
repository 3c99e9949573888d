// How late the event loop was at worst: a timer that notes by how much it is overdue.

const everyMs = 100;

/** Begins to measure. Answers the longest delay since it was last asked, in seconds; 0 at first. */
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
    // Whoever asks right after a long standstill may come before the timer.
    note();
    const worst = worstMs;
    worstMs = 0;
    return worst / 1000;
  };
}
