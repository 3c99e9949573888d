// Decodes one picture in a child process, which is killed when it takes too much time or memory.
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { asRuntime, pictureFile } from "../../server/own-files.ts";
import { mostMemory, mostPixels, patienceMs, undecodable, watchMs } from "./picture-limits.ts";

export interface Picture {
  /** The size as displayed, in pixels. */
  width: number;
  height: number;
  /** The preview, a WebP, if the picture is larger than one. */
  preview: Uint8Array | undefined;
}

interface Decoded {
  /** Undefined for a picture that cannot be decoded, or not within the limits. */
  picture?: Picture | undefined;
  /** Why the picture could not be inspected. */
  trouble?: string;
}

/** Limit of the output, in bytes: a preview that is not compressed at all has 2.5 MB. */
const mostOutput = 4 * 1024 * 1024;
const mostSaid = 2000;

const side = z.int().min(1);
const sides = z
  .object({ width: side, height: side })
  .refine(({ width, height }) => width * height <= mostPixels);

/** Decodes the picture at `path` in a process that runs `program`, within `withinMs`. The signal aborts it. */
export async function decode(
  path: string,
  signal: AbortSignal,
  program = pictureFile(),
  withinMs = patienceMs,
): Promise<Decoded> {
  try {
    // DATA_DIR may be relative to the working directory of the server, which the process does not share.
    const child = spawn(process.execPath, ["--smol", "--no-install", program, resolve(path)], {
      cwd: "/",
      // The environment of the server, with its secrets, is not passed on.
      env: { ...asRuntime },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return await watched(child, signal, withinMs);
  } catch (error) {
    return { trouble: (error as Error).message };
  }
}

async function watched(
  child: ChildProcessByStdio<null, Readable, Readable>,
  signal: AbortSignal,
  withinMs: number,
) {
  const kill = () => child.kill("SIGKILL");
  const late = setTimeout(kill, withinMs);
  const watch = setInterval(() => memoryOf(child) > mostMemory && kill(), watchMs);
  signal.addEventListener("abort", kill);
  try {
    const [output, said] = [gathered(child.stdout, mostOutput), gathered(child.stderr, mostSaid)];
    const code = await endOf(child);
    if (signal.aborted) return { trouble: "the server ends" };
    if (code === 0) return { picture: read(output()) };
    if (code === undecodable || code === null) return {};
    return { trouble: said().toString() };
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    signal.removeEventListener("abort", kill);
  }
}

/** Resolves with the exit code; with null if a signal ended the process. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done(code));
  });
}

/** Returns a function that returns the stream's output so far, but no more than `most` bytes of it. */
function gathered(stream: Readable, most: number): () => Buffer {
  const chunks: Buffer[] = [];
  let left = most;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
  });
  return () => Buffer.concat(chunks);
}

/** Returns the resident memory in bytes; 0 where the system does not say. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Validates the output: a stranger's picture may have taken the process over, so it is trusted no more than any other
 * input.
 */
function read(output: Buffer): Picture | undefined {
  const end = output.indexOf("\n");
  const preview = output.subarray(end + 1);
  const { data } = sides.safeParse(asJson(output.toString("utf8", 0, Math.max(end, 0))));
  if (!data || (preview.length > 0 && !isWebp(preview))) return undefined;
  return { ...data, preview: preview.length > 0 ? preview : undefined };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWebp(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
}
