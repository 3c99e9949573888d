// The command line as a process of its own: what it said, and the code it ended with.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const patienceMs = 30_000;

export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** `hearth …` with these settings in its environment, and nothing of this process's own. */
export function hearth(words: string, settings: Record<string, string> = {}): Promise<Ended> {
  return run([process.execPath, "cli/main.ts", ...words.split(" ").filter(Boolean)], settings);
}

/** Any program, from the project's folder unless another is named. */
export async function run(
  [program = "", ...args]: readonly string[],
  settings: Record<string, string> = {},
  cwd = PROJECT,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await once(child, "close");
  clearTimeout(timer);
  return { exitCode: child.exitCode, ...said };
}
