// Runs the command line as a child process, and checks its output and exit code.
import { expect } from "bun:test";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Ended, untilEnd } from "../house/machine/process.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const patienceMs = 180_000;

/** Runs `hearth …` with these settings as its whole environment. */
export function hearth(words: string, settings: Record<string, string> = {}): Promise<Ended> {
  return run([process.execPath, "cli/main.ts", ...words.split(" ").filter(Boolean)], settings);
}

/** The findings of `hearth doctor` by subject: the state and the sentence. `under`: a program to run it under. */
export async function examine(settings: Record<string, string>, words = "doctor", under: string[] = []) {
  const command = [...under, process.execPath, "cli/main.ts", ...words.split(" ")];
  const { exitCode, stdout, stderr } = await run(command, settings);
  expect(stderr).toBe("");
  const findings: Record<string, string> = {};
  for (const line of stdout.trimEnd().split("\n")) {
    const [, state, about = "", says] = /^(ok|off|note|wrong) +(.+?) {2,}(.*)$/.exec(line) ?? [];
    findings[about] = `${state}: ${says}`;
  }
  return { exitCode, findings };
}

/** Runs any program, by default in the project's folder. */
export function run(
  [program = "", ...args]: readonly string[],
  settings: Record<string, string> = {},
  cwd = PROJECT,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  return untilEnd(child, patienceMs);
}

export function expectDone(ended: Ended, says: string | RegExp): void {
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ended.stdout).toMatch(says);
}

/** Expects a refusal of one sentence, and no other output. */
export function expectRefused(ended: Ended, says: string | RegExp, exitCode = 1): void {
  expect(ended).toMatchObject({ exitCode, stdout: "" });
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
}
