// Times in the format of the API.

let lastMs = Number.NaN;
let lastText = "";

/**
 * Formats milliseconds since 1970 as UTC, ISO 8601. The last text is cached, as the same millisecond is often formatted
 * many times.
 */
export function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
