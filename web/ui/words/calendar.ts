// Calendar days in the reader's time zone.

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
