// A start that is meant to fail: the server's end, its exit code and everything it said.
import { once } from "node:events";
import { spawnServer } from "../house/process.ts";

export interface RefusedStart {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const patienceMs = 15_000;

/** Starts the real server and waits until it has given up; one that runs all the same is ended and shows no code. */
export async function startRefused(settings: Record<string, string>): Promise<RefusedStart> {
  const child = spawnServer(settings);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString();
    if (said.stdout.includes("ready")) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await once(child, "close");
  clearTimeout(timer);
  return { exitCode: child.exitCode, ...said };
}
