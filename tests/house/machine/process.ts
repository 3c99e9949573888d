// Starts the real server as a process of its own, waits until it says that it is ready, and ends it by its id.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const READY_LINE = /^Hearth is ready at (\S+)$/m;
/** At a level that tells of every request, thousands of lines: tests count some of them. */
const STDERR_KEPT = 4 * 1024 * 1024;
const lastWordsMs = 5000;

interface StartOptions {
  /** Environment settings; nothing of this process's own environment reaches the server. */
  settings: Record<string, string>;
  /** A program to run the server under, with its arguments: `["strace", "-f"]`. */
  under?: string[];
  /** What is run instead of `npm start`'s program. */
  command?: string[];
  patienceMs?: number;
}

export interface ServerProcess {
  url: string;
  pid: number;
  /** From the spawn to the ready line. */
  startedInMs: number;
  stderr(): string;
  /** How it ended: its exit code or a signal; undefined while it runs. */
  endedBy(): string | undefined;
  /** SIGKILL: no goodbye, nothing flushed. */
  kill(): Promise<void>;
  /** SIGTERM: the orderly way. */
  stop(): Promise<void>;
}

export async function startServer({
  settings,
  under = [],
  command,
  patienceMs = 180_000,
}: StartOptions): Promise<ServerProcess> {
  const begun = performance.now();
  const child = spawnServer(settings, under, command);
  const stderr = keepTail(child.stderr);
  const end = (signal: NodeJS.Signals) => endProcess(child, signal);
  try {
    const url = await readyUrl(child, patienceMs);
    const startedInMs = performance.now() - begun;
    return {
      url,
      pid: child.pid ?? 0,
      startedInMs,
      stderr,
      endedBy: () => (child.exitCode ?? child.signalCode ?? undefined)?.toString(),
      kill: () => end("SIGKILL"),
      stop: () => end("SIGTERM"),
    };
  } catch (error) {
    await end("SIGKILL");
    throw new Error(`${(error as Error).message}\n${stderr()}`);
  }
}

/** The bare child, for those who mean to end it before it is ready. */
export function spawnServer(
  settings: Record<string, string>,
  under: string[] = [],
  command = [process.execPath, "server/main.ts"],
): Child {
  const [program, ...args] = [...under, ...command];
  const child = spawn(program as string, args, {
    cwd: PROJECT,
    env: { HOST: "127.0.0.1", PORT: "0", RATE_LIMITS: "off", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Whatever ends this process, no server stays behind.
  const reap = () => child.kill("SIGKILL");
  process.on("exit", reap);
  child.once("exit", () => process.off("exit", reap));
  return child;
}

export type Child = ChildProcessByStdio<null, Readable, Readable>;

export async function endProcess(child: Child, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const [ended, silent] = [once(child, "exit"), once(child, "close")];
  child.kill(signal);
  await ended;
  // Its last words may still be on their way; a program that it started may keep them open.
  await Promise.race([silent, Bun.sleep(lastWordsMs)]);
}

/** How a process ended, and all that it said. */
export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Waits for the end of a process; one that takes too long, or says what it must not, is killed and shows no code. */
export async function untilEnd(child: Child, patienceMs: number, mustNotSay?: string): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString();
    if (mustNotSay !== undefined && said.stdout.includes(mustNotSay)) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await once(child, "close");
  clearTimeout(timer);
  return { exitCode: child.exitCode, ...said };
}

function readyUrl(child: Child, patienceMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const tooLong = setTimeout(
      () => reject(new Error(`The server was not ready in ${patienceMs} ms.`)),
      patienceMs,
    );
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(tooLong);
      reject(new Error(`The server ended before it was ready (${signal ?? code}).`));
    });
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const url = READY_LINE.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(tooLong);
      said = "";
      resolve(url);
    });
  });
}

function keepTail(stream: Readable): () => string {
  let kept = "";
  stream.on("data", (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-STDERR_KEPT);
  });
  return () => kept;
}
