// How far a steady clock of this process is from the clock of the database, by answers that take their time.

/** An answer that says what time it was there, and when it was asked and heard by the steady clock. In milliseconds. */
interface Told {
  at: number;
  asked: number;
  heard: number;
}

/**
 * Returns the offset from the steady clock to the other one that is nearest to the one before and that the answer allows:
 * it was that time at some moment between. An answer that was long on its way changes nothing that it does not contradict.
 */
export function offsetAfter(before: number, { at, asked, heard }: Told): number {
  return Math.min(Math.max(before, at - heard), at - asked);
}
