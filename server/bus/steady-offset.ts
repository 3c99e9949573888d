// The offset between this process's monotonic clock and the database's clock, from answers that take time to arrive.

/** A reading of the other clock, and when it was requested and received by the monotonic clock. In milliseconds. */
interface Told {
  at: number;
  asked: number;
  heard: number;
}

/**
 * Returns the offset to the other clock that is nearest to the previous offset and consistent with the reading, which
 * was taken at some moment between request and receipt. A slow answer that fits the previous offset changes nothing.
 */
export function offsetAfter(before: number, { at, asked, heard }: Told): number {
  return Math.min(Math.max(before, at - heard), at - asked);
}
