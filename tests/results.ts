// Reads the results of each test file from the test runner's reports, and errors that no report has from its output.
import { isHeader } from "./interleaved.ts";

interface Failure {
  test: string;
  /** The first line of the error. */
  why: string;
}

/** The results of one file. */
export interface FileResults {
  passed: number;
  skipped: number;
  failures: readonly Failure[];
  ms: number;
}

/** Results by file path. */
export type Results = ReadonlyMap<string, FileResults>;

/** Reads a JUnit report; a truncated one yields the files before its end. */
export function readReport(report: string): Results {
  const suites = report.split(/^ {2}(?=<testsuite )/m).slice(1);
  return new Map(
    suites.map((suite) => {
      const head = /^<testsuite [^>]*>/.exec(suite)?.[0] ?? "";
      return [attribute(head, "file"), fileResults(suite, Number(attribute(head, "time")) * 1000)];
    }),
  );
}

function fileResults(suite: string, ms: number): FileResults {
  const cases = [...suite.matchAll(/(<testcase [^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  const has = (inside: string | undefined, tag: string) => inside?.includes(`<${tag}`) ?? false;
  const failures = cases
    .filter(([, , inside]) => has(inside, "failure"))
    .map(([, tag = "", inside = ""]) => ({ test: attribute(tag, "name"), why: reasonIn(inside) }));
  const skipped = cases.filter(([, , inside]) => has(inside, "skipped")).length;
  return { passed: cases.length - skipped - failures.length, skipped, failures, ms: Math.round(ms) };
}

/**
 * Errors that belong to no test, by file: a file that cannot be loaded, or an error thrown between two tests. `paths`
 * are the files that were run: output is interleaved, so a file that an error names counts more than the last header.
 */
export function errorsBetween(said: string, paths: readonly string[]): ReadonlyMap<string, Failure> {
  const found = new Map<string, Failure>();
  let path = "";
  const lines = said.split("\n");
  for (const [i, line] of lines.entries()) {
    if (isHeader.test(line)) path = line.slice(0, -1);
    if (!line.startsWith("# Unhandled error between tests")) continue;
    const why = lines.slice(i).find((each) => /^\w*error: /i.test(each)) ?? "an error that no test caught";
    const named = paths.find((each) => why.includes(`/${each}'`));
    found.set(named ?? path, { test: "(between tests)", why });
  }
  return found;
}

/**
 * The results of all requested files: an error outside of the tests counts as a failure of its file.
 *
 * @param code the exit code of the test runner; if it is 0, a file in no report has no tests and has not failed
 */
export function resultsOf(
  asked: readonly string[],
  reported: Results,
  errors: ReadonlyMap<string, Failure>,
  code: number | null,
): Results {
  return new Map(
    asked.map((path) => {
      const results = reported.get(path) ?? { passed: 0, skipped: 0, failures: [], ms: 0 };
      const error = errors.get(path);
      const missing =
        !reported.has(path) && code !== 0 ? { test: "(the file)", why: "it is in no report" } : undefined;
      const outside = error ?? missing;
      return [path, outside ? { ...results, failures: [...results.failures, outside] } : results];
    }),
  );
}

export function failing(results: Results): string[] {
  return [...results].filter(([, { failures }]) => failures.length > 0).map(([path]) => path);
}

export function total(results: Results): { passed: number; failed: number; skipped: number } {
  const all = [...results.values()];
  const sum = (of: (each: FileResults) => number) => all.reduce((whole, each) => whole + of(each), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length),
    skipped: sum(({ skipped }) => skipped),
  };
}

function attribute(tag: string, name: string): string {
  const plain = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" } as Record<string, string>;
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity) => plain[entity] ?? "");
}

function reasonIn(testCase: string): string {
  const [line = ""] = attribute(/<failure [^>]*>/.exec(testCase)?.[0] ?? "", "message").split(/\n|&#10;/);
  return line.trim();
}
