// Days of the calendar, where the reader is.

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
