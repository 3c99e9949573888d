// Times as the interface writes them.

let lastMs = Number.NaN;
let lastText = "";

/** Milliseconds since 1970 as UTC text, ISO 8601. One millisecond is written many times over, so the last is kept. */
export function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
