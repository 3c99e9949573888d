// Until when "until tomorrow" is.

/** At eight, when one looks again. */
export function nextMorning(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 8);
}
