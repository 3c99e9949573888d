// Waits in tests: until something is so, and no longer than it may take.
import { deadline } from "../../../server/deadline.ts";

/** A ceiling, no measure: how soon things are is what the bench measures. A machine that others use needs many times that. */
const longMs = 180_000;

export async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: string,
  patienceMs = longMs,
): Promise<void> {
  // Not Date: tests set the clock.
  for (const end = performance.now() + patienceMs; !(await isSo()); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error(otherwise);
  }
}

/**
 * A ceiling for what the product promises within a second: lower than the time after which something else would make it
 * so without that promise. Markers are forgotten after 15 s, voice rooms compared every 30 s.
 */
const promptlyMs = 14_000;

export function promptly(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return until(isSo, "it did not come to be so in time", promptlyMs);
}

/** Waits for a promise that settles by itself once something has happened, and fails where it does not. */
export function soon<T>(comes: Promise<T>): Promise<T> {
  return deadline(longMs, () => new Error("it did not come"))(comes);
}
