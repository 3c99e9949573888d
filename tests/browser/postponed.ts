// Delays the timers of a page: on a busy machine they would fire before a test's next step.

/** Returns an init script that makes timers of these lengths, in milliseconds, fire after five minutes. */
export function postponed(...times: readonly number[]): string {
  return lengthened(times, 300_000);
}

/** The same, with a delay of `toMs`. */
export function lengthened(times: readonly number[], toMs: number): string {
  return `{
    const [set, times] = [setTimeout, ${JSON.stringify(times)}];
    globalThis.setTimeout = (run, ms, ...given) => set(run, times.includes(ms) ? ${toMs} : ms, ...given);
  }`;
}

/** Keeps lines at the page's lower edge: undo for deletions stays for five seconds, other lines for six. */
export const linesStay = postponed(5000, 6000);
