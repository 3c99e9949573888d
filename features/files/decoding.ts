// Decodes one picture in a process of its own, and ends that process when it takes too much time or memory.
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { asRuntime, pictureFile } from "../../server/own-files.ts";
import { mostMemory, mostPixels, patienceMs, undecodable, watchMs } from "./picture-limits.ts";

export interface Picture {
  /** As it is shown, in pixels. */
  width: number;
  height: number;
  /** A WebP, of a picture that is larger than a preview. */
  preview: Uint8Array | undefined;
}

interface Decoded {
  /** Undefined for a picture that cannot be decoded, or not within the limits. */
  picture?: Picture | undefined;
  /** Why nobody could look at the picture. */
  trouble?: string;
}

/** A preview that is not compressed at all has 2.5 MB. */
const mostOutput = 4 * 1024 * 1024;
const mostSaid = 2000;

const side = z.int().min(1);
const sides = z
  .object({ width: side, height: side })
  .refine(({ width, height }) => width * height <= mostPixels);

/** Decodes the picture at `path` by a program of ours, within so many milliseconds. The signal ends it before. */
export async function decode(
  path: string,
  signal: AbortSignal,
  program = pictureFile(),
  withinMs = patienceMs,
): Promise<Decoded> {
  try {
    // DATA_DIR may be relative to the folder of the server, which is not that of the process.
    const child = spawn(process.execPath, ["--smol", "--no-install", program, resolve(path)], {
      cwd: "/",
      // The settings of the server, secrets among them, are none of its business.
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

/** Resolves with the exit code; with null where a signal ended it. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done(code));
  });
}

/** Returns a function that returns what the stream brought, but no more than `most` bytes of it. */
function gathered(stream: Readable, most: number): () => Buffer {
  const chunks: Buffer[] = [];
  let left = most;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
  });
  return () => Buffer.concat(chunks);
}

/** Returns the bytes that are really in memory; 0 where the system does not say. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** What a stranger's picture made of the process is not known, so it is believed no more than any other input. */
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
