// Starts the real server as a child process, waits for its ready line, and ends it by its pid.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const READY_LINE = /^Hearth is ready at (\S+)$/m;
/** Characters of stderr that are kept: thousands of lines when every request is logged. Tests count some of them. */
const STDERR_KEPT = 4 * 1024 * 1024;
const lastWordsMs = 5000;

interface StartOptions {
  /** The server's whole environment: it inherits nothing from this process. */
  settings: Record<string, string>;
  /** A program to run the server under, with its arguments: `["strace", "-f"]`. */
  under?: string[];
  /** The command that is run instead of `npm start`'s program. */
  command?: string[];
  patienceMs?: number;
}

export interface ServerProcess {
  url: string;
  pid: number;
  /** Milliseconds from the spawn to the ready line. */
  startedInMs: number;
  stderr(): string;
  /** The exit code or signal of the process; undefined while it runs. */
  endedBy(): string | undefined;
  /** Sends SIGKILL: no shutdown, nothing flushed. */
  kill(): Promise<void>;
  /** Sends SIGTERM: an orderly shutdown. */
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

/** The bare child process, for tests that end it before it is ready. */
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
  // However this process ends, no server stays behind.
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
  // The last output may still be on its way; a child that the server started may keep the pipes open.
  await Promise.race([silent, Bun.sleep(lastWordsMs)]);
}

/** The exit code and the whole output of a process. */
export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Waits for the end of a process. One that takes too long, or prints `mustNotSay`, is killed and has no exit code. */
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
