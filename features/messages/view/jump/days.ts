// Days in the reader's time zone, as date fields write them.

/** "2026-11-22", the value of a field for dates. */
export function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns the first moment of a day; undefined if the field is empty or holds no valid day. */
export function startOf(day: string): Date | undefined {
  const at = new Date(`${day}T00:00`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
