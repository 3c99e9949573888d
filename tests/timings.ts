// How long each test file took: the longest start first, and `npm run check` takes the files that fit into its minute.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Timings = Readonly<Record<string, number>>;

export const timingsPath = join(import.meta.dir, "timings.json");

/** The duration assumed for a file that was never measured. */
export const unmeasuredMs = 5000;

export function readTimings(): Timings {
  return JSON.parse(readFileSync(timingsPath, "utf8")).files;
}

/** Returns a function that looks up the duration of a file, in milliseconds. */
export function timingOf(timings = readTimings()): (path: string) => number {
  return (path) => timings[path] ?? unmeasuredMs;
}

/** Every test file, sorted by path, so that two people who add files change different lines. */
export function complete(measured: Timings, files: readonly string[]): Timings {
  return Object.fromEntries(files.toSorted().map((path) => [path, measured[path] ?? unmeasuredMs]));
}

/** Writes the timings in the format of the test runner, which reads them too. */
export function writeTimings(files: Timings): void {
  writeFileSync(timingsPath, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}
