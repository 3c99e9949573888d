// Days in the reader's time zone, as date fields write them, and the lowest id of a moment.

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

/** Returns the lowest id that could be made at a moment: ids are UUIDs of version 7, which begin with their time. */
export function idAt(moment: Date): string {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
