// Puts off the timers of a page: on a busy machine they would fire before a test has done its next step.

/** Returns an init script with which timers of these lengths, in milliseconds, fire after five minutes. */
export function postponed(...times: readonly number[]): string {
  return lengthened(times, 300_000);
}

/** The same, with which they fire after so many milliseconds. */
export function lengthened(times: readonly number[], toMs: number): string {
  return `{
    const [set, times] = [setTimeout, ${JSON.stringify(times)}];
    globalThis.setTimeout = (run, ms, ...given) => set(run, times.includes(ms) ? ${toMs} : ms, ...given);
  }`;
}

/** A deletion can be undone for five seconds, and other lines at the lower edge of the page stay for six. */
export const linesStay = postponed(5000, 6000);
