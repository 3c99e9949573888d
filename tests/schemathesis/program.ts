// Installs Schemathesis, a Python program, into the temporary folder of one run, starts it and reads its reports.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run } from "./runs.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestMs = 600_000;

/** The reason why Schemathesis cannot run on this machine. */
export class NotHere extends Error {}

/** The result of one run: the operations called, those of them that ever succeeded, and the counts. */
interface Found {
  operations: string[];
  accepted: string[];
  cases: number;
  failures: number;
}

/** Tests the server at a URL against a description. */
export type Program = (description: string, url: string, run: Run) => Promise<Found>;

/** Installs Schemathesis below `folder`. */
export function program(folder: string): Program {
  const venv = join(folder, "venv");
  make(
    "python3",
    ["-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"],
    "There is no Python here, or none of version 3.10 or later.",
  );
  make("python3", ["-m", "venv", venv], "Python cannot make a virtual environment (python3-venv).");
  const python = join(venv, "bin", "python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
  const installed = spawnSync(python, [...pip, join(here, "requirements.txt")], { stdio: "inherit" });
  if (installed.status !== 0) throw new Error("Schemathesis could not be installed.");

  return async (description, url, { headers, filters }) => {
    const report = join(folder, "report.ndjson");
    const code = await wait(join(venv, "bin", "st"), folder, [
      ...["--config-file", join(here, "schemathesis.toml"), "run", description, "--url", url],
      ...["--report", "ndjson", "--report-ndjson-path", report],
      ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ...filters,
      // Arguments of the command line: `--seed 7`, for example, tries other cases.
      ...process.argv.slice(2),
    ]);
    const found = readReport(report);
    // Schemathesis may also fail without having found anything.
    return code !== 0 && found.failures === 0 ? { ...found, failures: 1 } : found;
  };
}

function make(command: string, args: string[], otherwise: string): void {
  if (spawnSync(command, args, { stdio: "ignore" }).status !== 0) throw new NotHere(otherwise);
}

/** Runs a command in `folder`, where it may leave files, and returns its exit code. */
function wait(command: string, folder: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), longestMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(tooLong);
      resolve(code ?? 1);
    });
  });
}

/** One scenario of the report: the cases of one operation in one phase. */
interface Scenario {
  label: string;
  checks?: Record<string, { status: string }[]>;
  interactions?: Record<string, { response?: { status_code: number } }>;
}

function readReport(path: string): Found {
  const [operations, accepted] = [new Set<string>(), new Set<string>()];
  let [cases, failures] = [0, 0];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (!line.startsWith('{"ScenarioFinished"')) continue;
    const { label, checks = {}, interactions = {} } = scenarioOf(line);
    for (const { response } of Object.values(interactions)) {
      operations.add(label);
      if ((response?.status_code ?? 500) < 300) accepted.add(label);
    }
    for (const each of Object.values(checks)) {
      cases++;
      if (each.some((check) => check.status === "failure")) failures++;
    }
  }
  return { operations: [...operations], accepted: [...accepted], cases, failures };
}

function scenarioOf(line: string): Scenario {
  const { ScenarioFinished } = JSON.parse(line) as { ScenarioFinished: { recorder: Scenario } };
  return ScenarioFinished.recorder;
}
