// Reads the results of the test runner from its own reports.
import { readFileSync } from "node:fs";

/** What is wrong with a file. */
interface Failing {
  /** How many of its tests failed. */
  count: number;
  /** The first line of the first failure. */
  why: string;
}

/** The results of one run of the test runner, by its own report. */
export interface Results {
  passed: number;
  failed: number;
  /** By the path of each file with a test that failed. */
  failing: ReadonlyMap<string, Failing>;
  /** By the path of each file: how long it took, in milliseconds. */
  took: ReadonlyMap<string, number>;
}

/** Adds up the results of runs of different files. */
export function together(results: readonly Results[]): Results {
  const sum = (of: "passed" | "failed") => results.reduce((all, each) => all + each[of], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    failing: new Map(results.flatMap(({ failing }) => [...failing])),
    took: new Map(results.flatMap(({ took }) => [...took])),
  };
}

/** Reads a report in the form of JUnit. */
export function readResults(path: string): Results {
  const report = readFileSync(path, "utf8");
  const whole = numbersOf(/<testsuites [^>]*>/.exec(report)?.[0] ?? "");
  const files = [...report.matchAll(/^ {2}<testsuite [^>]*>/gm)].map(([tag]) => numbersOf(tag));
  const failures = [...report.matchAll(/(<testcase [^>]*>)\s*(<failure [^>]*>)/g)].map(
    ([, testCase = "", failure = ""]) => ({ file: attribute(testCase, "file"), why: firstLine(failure) }),
  );
  const failing = new Map(
    files
      .filter((each) => each.failures > 0)
      .map(({ file, failures: count }) => [
        file,
        { count, why: failures.find((each) => each.file === file)?.why ?? "" },
      ]),
  );
  const took = new Map(files.map(({ file, seconds }) => [file, Math.round(seconds * 1000)]));
  return { passed: whole.tests - whole.failures - whole.skipped, failed: whole.failures, failing, took };
}

function numbersOf(tag: string) {
  return {
    file: attribute(tag, "file"),
    tests: Number(attribute(tag, "tests")),
    failures: Number(attribute(tag, "failures")),
    skipped: Number(attribute(tag, "skipped")),
    seconds: Number(attribute(tag, "time")),
  };
}

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

/** Without what would end the cell of a table. */
function firstLine(failure: string): string {
  const [line = ""] = attribute(failure, "message").split("&#10;");
  const plain = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" } as Record<string, string>;
  return line.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => plain[name] ?? "").replaceAll("|", "/");
}
