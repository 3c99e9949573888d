// Test files that failed beside others are tried once more, each by itself: a busy machine lets some be too late.
import { readFileSync } from "node:fs";

/** What one run of the test runner found, by its own report. */
export interface Results {
  passed: number;
  failed: number;
  /** Paths of the files with a test that failed. */
  failing: readonly string[];
}

/** More files than this did not fail because the machine was busy. */
const mostFiles = 8;

/** Reads a report in the form of JUnit. */
export function readResults(path: string): Results {
  const report = readFileSync(path, "utf8");
  const whole = numbersOf(/<testsuites [^>]*>/.exec(report)?.[0] ?? "");
  const files = [...report.matchAll(/^ {2}<testsuite [^>]*>/gm)].map(([tag]) => numbersOf(tag));
  const failing = files.filter(({ failures }) => failures > 0).map(({ file }) => file);
  return { passed: whole.tests - whole.failures - whole.skipped, failed: whole.failures, failing };
}

function numbersOf(tag: string) {
  const given = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return {
    file: given("file"),
    tests: Number(given("tests")),
    failures: Number(given("failures")),
    skipped: Number(given("skipped")),
  };
}

/** Which files deserve a second try: none where the run broke without a failing test, or where many failed. */
export function deserving({ failing }: Results): readonly string[] {
  return failing.length > mostFiles ? [] : failing;
}

/** What both tries found together: of the files that were tried twice, the second counts. */
export function together(first: Results, again: Results): Results {
  return {
    passed: first.passed + Math.max(0, first.failed - again.failed),
    failed: again.failed,
    failing: again.failing,
  };
}

/** The closing lines of a run with a second try, in the words of the test runner. */
export function closingLines(first: Results, again: Results): string {
  const late = first.failing.filter((path) => !again.failing.includes(path));
  const { passed, failed } = together(first, again);
  return [
    "",
    ...late.map((path) => `Failed beside others, and passed alone: ${path}`),
    ...again.failing.map((path) => `Failed twice: ${path}`),
    ` ${passed} pass`,
    ` ${failed} fail`,
  ].join("\n");
}
