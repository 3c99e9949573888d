// Waits in tests: polls until a condition holds, up to a timeout.
import { deadline } from "../../../server/deadline.ts";

/** A generous timeout in ms, not a measurement: the bench measures speed. A busy machine needs many times the usual. */
const longMs = 180_000;

export async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: string,
  patienceMs = longMs,
): Promise<void> {
  // Not Date: tests set that clock.
  for (const end = performance.now() + patienceMs; !(await isSo()); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error(otherwise);
  }
}

/**
 * Timeout in ms for what the product promises within a second: shorter than the fallbacks that would bring it about
 * without that promise. Markers are forgotten after 15 s, voice rooms compared every 30 s.
 */
const promptlyMs = 14_000;

export function promptly(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return until(isSo, "it did not come to be so in time", promptlyMs);
}

/** Waits for a promise that an event settles, and fails after a timeout. */
export function soon<T>(comes: Promise<T>): Promise<T> {
  return deadline(longMs, () => new Error("it did not come"))(comes);
}
