// Conversion between times and the values of browser fields in the reader's time zone, and its name.

/** "2026-11-22T18:30", the format of `datetime-local`. */
export function localText(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Undefined if the field is empty or holds no valid time. */
export function momentOf(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Suggests the next full hour, a day from now. */
export function firstGuess(now: Date): Date {
  const at = new Date(now.getTime() + 25 * 3600_000);
  at.setMinutes(0, 0, 0);
  return at;
}

/** "Europe/Berlin, GMT+1" */
export function zoneName(language: string, at: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: "shortOffset" }).formatToParts(at);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value;
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone}, ${offset}`;
}
