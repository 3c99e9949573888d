// Which test files run concurrently. Files that mostly wait fill the gaps of those that compute; files that others
// could disturb, or that would disturb others, run at the end, one after the other.
import { availableParallelism } from "node:os";

type LaneName = "waiting" | "working" | "alone";

export interface Lane {
  name: LaneName;
  /** How many files run at once. */
  workers: number;
  files: readonly string[];
}

/** Files that spend most of their time on timers, locks and child processes. */
export const waiting: readonly string[] = [
  "features/availability",
  "features/gifs",
  "features/password-resets",
  "features/presence",
  "features/push",
  "features/read-states",
  "features/storage",
  "features/typing",
  "features/voice",
  "server/blobs",
  "server/bus",
  "server/gateway/clock.test.ts",
  "server/house",
  "server/limits",
  "server/outbound",
  "server/telemetry",
  "server/wire",
  "tests/cluster",
  "tests/gateway/session-end.test.ts",
  "tests/gateway/signing-in.test.ts",
  "tests/start/leaving.test.ts",
  "tests/start/metrics.test.ts",
  "tests/start/pages.test.ts",
];

/** Files that measure, fill the disk, look at frames of the screen, or take the network away. */
export const alone: readonly string[] = [
  "features/files/decoding.long.test.ts",
  "features/files/turns.long.test.ts",
  "tests/browser/rows.long.test.ts",
  "tests/browser/scroll.long.test.ts",
  "tests/browser/still.long.test.ts",
  "tests/chaos",
  "tests/crash/checkpoints.long.test.ts",
  "tests/crash/disk.long.test.ts",
  "tests/gateway/many-servers.long.test.ts",
  "tests/protection/cost.long.test.ts",
  "tests/protection/frame-cost.long.test.ts",
  "tests/protection/passwords.test.ts",
];

/** True if a file runs in `npm run test:all` only, by its name. */
export function isLong(path: string): boolean {
  return /\.long\.test\.tsx?$/.test(path);
}

export function laneOf(path: string): LaneName {
  const isIn = (places: readonly string[]) =>
    places.some((place) => path === place || path.startsWith(`${place}/`));
  if (isIn(alone)) return "alone";
  return isIn(waiting) ? "waiting" : "working";
}

/** The stages in order: the lanes that run side by side, then the one that needs the machine to itself. */
export function stagesOf(files: readonly string[], cores = availableParallelism()): Lane[][] {
  const lane = (name: LaneName, workers: number): Lane => ({
    name,
    workers,
    files: files.filter((path) => laneOf(path) === name),
  });
  return [[lane("waiting", cores * 2), lane("working", cores)], [lane("alone", 1)]]
    .map((lanes) => lanes.filter((each) => each.files.length > 0))
    .filter((lanes) => lanes.length > 0);
}
