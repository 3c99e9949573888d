// Which test files a change touches: by imports, without the one list through which every house reaches every feature.
import { execFileSync } from "node:child_process";
import { type SourceFile, sourceFiles } from "./architecture/tree.ts";

const list = "server/features.ts";
/** What looks at the whole tree, or at all operations and all events. */
const always = /^tests\/(architecture|docs|routes|permissions|converge)\//;

/** Paths that differ from a commit, and new ones that are not in Git yet. */
export function changedPaths(since = "HEAD"): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n");
  const found = [
    ...git("diff", "--name-only", "--relative", since),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return found.filter((path) => path !== "");
}

/**
 * Test files that reach a changed file by their imports, those of a folder whose code does, and what looks at the whole.
 * After a change under `server/`, all of them: every house has it in it.
 */
export function touchedTests(changed: readonly string[]): string[] {
  const files = sourceFiles("protocol", "features", "client", "server", "cli", "tools", "bench", "tests");
  const tests = files.filter((file) => file.path.endsWith(".test.ts"));
  if (changed.some((path) => touchesAll(path))) return tests.map((file) => file.path);
  const reaching = whatReaches(files, new Set(changed));
  const folders = new Set([...reaching].filter((path) => !path.endsWith(".test.ts")).map(folderOf));
  return tests
    .map((file) => file.path)
    .filter((path) => reaching.has(path) || always.test(path) || folders.has(folderOf(path)));
}

/** `features/gifs` of whatever lies in there; `cli` of its own files and of their tests in `tests/cli`. */
function folderOf(path: string): string {
  const [top = "", below = ""] = path.split("/");
  if (top === "tests") return below;
  return top === "features" ? `${top}/${below}` : top;
}

function touchesAll(path: string): boolean {
  return path === "package-lock.json" || (path.startsWith("server/") && !path.endsWith(".test.ts"));
}

function whatReaches(files: readonly SourceFile[], changed: ReadonlySet<string>): Set<string> {
  const reaching = new Set(changed);
  for (let before = -1; before < reaching.size; ) {
    before = reaching.size;
    for (const { path, imports } of files)
      if (path !== list && imports.some((to) => reaching.has(to))) reaching.add(path);
  }
  return reaching;
}
