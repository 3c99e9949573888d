// Waits in tests: until something is so, and no longer than it may take.

export async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: string,
  patienceMs = 30_000,
): Promise<void> {
  // Not Date: tests set the clock.
  for (const end = performance.now() + patienceMs; !(await isSo()); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error(otherwise);
  }
}

/** As long as a change of rights may take to be felt, and what a busy machine adds to it. */
export function withinASecond(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return until(isSo, "it was not so within a second", 4000);
}
