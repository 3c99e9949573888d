// Test files that failed beside others are tried once more, each by itself. One that passes then has failed all the same,
// unless it is known for it: tests/second-tries.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "./results.ts";

interface SecondTry {
  path: string;
  /** The first line of the failure. */
  why: string;
  commit: string;
}

/** More files than this did not fail because the machine was busy. */
const mostFiles = 8;
/** So many entries of one file fail a test until the file is mended. */
export const mostTries = 3;

const list = join(import.meta.dir, "second-tries.md");

/** Which files deserve a second try: none where the run broke without a failing test, or where many failed. */
export function deserving({ failing }: Results): readonly string[] {
  return failing.size > mostFiles ? [] : [...failing.keys()];
}

/** The tracked list of files that passed at their second try. */
export function knownTries(text = readFileSync(list, "utf8")): SecondTry[] {
  const rows = text.matchAll(/^\| `([^`]+)` \| (.*) \| `?([0-9a-f]{7,40})`? \|$/gm);
  return Array.from(rows, ([, path = "", why = "", commit = ""]) => ({ path, why, commit }));
}

/** How often a file may need a second try is bounded: those that must be mended. */
export function wornOut(tries: readonly SecondTry[]): string[] {
  const paths = tries.map(({ path }) => path);
  const count = (path: string) => paths.filter((each) => each === path).length;
  return [...new Set(paths)].filter((path) => count(path) >= mostTries);
}

interface Verdict {
  passed: number;
  failed: number;
  lines: string[];
}

/** The verdict of both tries: a file that passed alone counts as passed where it is known for that. */
export function verdict(first: Results, again: Results, known: readonly string[], commit: string): Verdict {
  const late = [...first.failing].filter(([path]) => !again.failing.has(path));
  const unknown = late.filter(([path]) => !known.includes(path));
  const failed = again.failed + unknown.reduce((sum, [, { count }]) => sum + count, 0);
  const passed = first.passed + Math.max(0, first.failed - failed);
  return {
    passed,
    failed,
    lines: [
      "",
      ...late.map(([path]) => `Failed beside others, and passed alone: ${path}`),
      ...[...again.failing.keys()].map((path) => `Failed twice: ${path}`),
      ...(late.length > 0 ? ["Mend what was late, or write it down in tests/second-tries.md:"] : []),
      ...late.map(([path, { why }]) => `| \`${path}\` | ${why} | \`${commit}\` |`),
      ` ${passed} pass`,
      ` ${failed} fail`,
    ],
  };
}
