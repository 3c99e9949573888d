// The end of "until tomorrow".

/** Eight in the morning, when people look again. */
export function nextMorning(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 8);
}
