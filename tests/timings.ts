// How long each test file took: the longest begin first, and `npm run check` takes what fits into its minute.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Timings = Readonly<Record<string, number>>;

export const timingsPath = join(import.meta.dir, "timings.json");

/** The time that is assumed for a file that was never measured. */
export const unmeasuredMs = 5000;

export function readTimings(): Timings {
  return JSON.parse(readFileSync(timingsPath, "utf8")).files;
}

/** In milliseconds, by path. */
export function timingOf(timings = readTimings()): (path: string) => number {
  return (path) => timings[path] ?? unmeasuredMs;
}

/** Every file there is, by its path, so that two people who add files change two places. */
export function complete(measured: Timings, files: readonly string[]): Timings {
  return Object.fromEntries(files.toSorted().map((path) => [path, measured[path] ?? unmeasuredMs]));
}

/** In the form of the test runner, which reads it. */
export function writeTimings(files: Timings): void {
  writeFileSync(timingsPath, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}
