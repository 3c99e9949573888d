// Finds the test files that a change affects, the nearest first: by imports, not counting the list of features, through
// which every house reaches every feature.
import { execFileSync } from "node:child_process";
import { isTestFile, type SourceFile, sourceFiles, sourceFolders } from "./architecture/tree.ts";
import { isLong } from "./lanes.ts";
import { timingOf } from "./timings.ts";

const list = "server/features.ts";
/** Tests of the whole tree, or of all operations and all events. */
const always = /^tests\/(architecture\/|docs\/docs\.|routes\/|permissions\/|converge\/)/;
const quickMs = 1000;
const isDocument = /\.md$|^docs\//;

/** Paths that differ from a commit, and untracked ones. */
export function changedPaths(since = "HEAD"): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n");
  const found = [
    ...git("diff", "--name-only", "--relative", since),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return found.filter((path) => path !== "");
}

/**
 * Returns changed test files, the architecture tests, those of a folder whose code changed, those whose imports lead to
 * a changed file, and tests of the whole; among equally near ones the quickest first. After a change under `server/`,
 * all.
 */
export function touchedTests(changed: readonly string[]): string[] {
  const files = sourceFiles(...sourceFolders);
  const steps = stepsFrom(files, changed);
  const folders = new Set(changed.filter((path) => !isTestFile(path)).map(folderOf));
  const reached = new Set([...steps.keys()].filter((path) => !isTestFile(path)).map(folderOf));
  const msOf = timingOf();
  const isAll = changed.some(touchesAll);
  const distance = (path: string) => {
    if (changed.includes(path)) return 0;
    if (path.startsWith("tests/architecture/")) return 1;
    if (folders.has(folderOf(path))) return 2;
    if (path.startsWith("tests/docs/") && changed.some((each) => isDocument.test(each))) return 3;
    if (steps.has(path)) return 3 + (steps.get(path) ?? 0);
    if (always.test(path)) return 1000;
    return reached.has(folderOf(path)) || isAll ? 1001 : undefined;
  };
  return files
    .filter(({ path }) => isTestFile(path))
    .map(({ path }) => ({ path, far: distance(path) }))
    .filter(({ far }) => far !== undefined)
    .sort((one, other) => one.far! - other.far! || msOf(one.path) - msOf(other.path))
    .map(({ path }) => path);
}

/** Test files that open no house, start no program and need no browser: all of them together take seconds. */
export function quickTests(): string[] {
  const files = sourceFiles(...sourceFolders);
  const slow = stepsFrom(files, [
    "server/open.ts",
    "tests/house/machine/process.ts",
    "tests/browser/chromium.ts",
  ]);
  const msOf = timingOf();
  return files
    .map(({ path }) => path)
    .filter((path) => isTestFile(path) && !isLong(path) && !slow.has(path) && msOf(path) < quickMs);
}

/** Returns the first of these files that fit into `most` milliseconds one after the other, by their measured times. */
export function fitting(paths: readonly string[], most: number, msOf = timingOf()): string[] {
  let left = most;
  return paths.filter((path) => {
    const fits = msOf(path) <= left;
    if (fits) left -= msOf(path);
    return fits;
  });
}

/** `features/gifs` for all its files; `cli` for its own files and for their tests in `tests/cli`. */
function folderOf(path: string): string {
  const [top = "", below = ""] = path.split("/");
  if (top === "tests") return below;
  return top === "features" ? `${top}/${below}` : top;
}

function touchesAll(path: string): boolean {
  return path === "package-lock.json" || (path.startsWith("server/") && !isTestFile(path));
}

/** Number of imports from each file to a changed file that it reaches. */
function stepsFrom(files: readonly SourceFile[], changed: readonly string[]): Map<string, number> {
  const steps = new Map(changed.map((path) => [path, 0]));
  for (let far = 1, before = -1; before < steps.size; far++) {
    before = steps.size;
    const next = files.filter(
      ({ path, imports }) => path !== list && !steps.has(path) && imports.some((to) => steps.has(to)),
    );
    for (const { path } of next) steps.set(path, far);
  }
  return steps;
}
