// Decodes one picture in a child process, which is killed when it takes too much time or memory.
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { asRuntime, pictureFile } from "../../server/own-files.ts";
import { avatarSides, mostMemory, mostPixels, patienceMs, undecodable, watchMs } from "./picture-limits.ts";
import type { Square } from "./squares.ts";

export interface Picture {
  /** The size as displayed, in pixels. */
  width: number;
  height: number;
  /** The preview, a WebP, if the picture is larger than one. */
  preview: Uint8Array | undefined;
}

/** A square of a picture, drawn anew. */
export interface Drawn {
  /** The size of the whole picture as displayed, in pixels. */
  width: number;
  height: number;
  /** WebP files, in the order of `avatarSides`; none if the square is not inside the picture. */
  files: readonly Uint8Array[];
}

interface Decoded<Result = Picture> {
  /** Undefined for a picture that cannot be decoded, or not within the limits. */
  picture?: Result | undefined;
  /** Why the picture could not be inspected. */
  trouble?: string;
}

/** Limit of the output, in bytes: a preview that is not compressed at all has 2.5 MB, an own picture less. */
const mostOutput = 4 * 1024 * 1024;
const mostSaid = 2000;

const side = z.int().min(1);
const sides = z
  .object({ width: side, height: side })
  .refine(({ width, height }) => width * height <= mostPixels);
const drawnHead = z.intersection(
  sides,
  z.object({ lengths: z.array(z.int().min(1)).max(avatarSides.length) }),
);

/** Decodes the picture at `path` in a process that runs `program`, within `withinMs`. The signal aborts it. */
export function decode(
  path: string,
  signal: AbortSignal,
  program = pictureFile(),
  withinMs = patienceMs,
): Promise<Decoded> {
  return inProcess([program, resolve(path)], read, signal, withinMs);
}

/** Like `decode`, but draws a square of the picture in each of the sizes of an own picture; undefined: the middle one. */
export function draw(
  path: string,
  square: Square | undefined,
  signal: AbortSignal,
  withinMs = patienceMs,
): Promise<Decoded<Drawn>> {
  const words = [pictureFile(), resolve(path), JSON.stringify(square ?? null)];
  return inProcess(words, readDrawn, signal, withinMs);
}

/** Runs a program with its arguments, which are absolute paths: the working directory of the server is not shared. */
async function inProcess<Result>(
  words: readonly string[],
  read: (output: Buffer) => Result | undefined,
  signal: AbortSignal,
  withinMs: number,
): Promise<Decoded<Result>> {
  try {
    const child = spawn(process.execPath, ["--smol", "--no-install", ...words], {
      cwd: "/",
      // The environment of the server, with its secrets, is not passed on.
      env: { ...asRuntime },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { output, trouble } = await watched(child, signal, withinMs);
    return trouble === undefined ? { picture: output && read(output) } : { trouble };
  } catch (error) {
    return { trouble: (error as Error).message };
  }
}

interface Ended {
  /** Undefined if the picture could not be decoded. */
  output?: Buffer;
  trouble?: string;
}

async function watched(
  child: ChildProcessByStdio<null, Readable, Readable>,
  signal: AbortSignal,
  withinMs: number,
): Promise<Ended> {
  const kill = () => child.kill("SIGKILL");
  const late = setTimeout(kill, withinMs);
  const watch = setInterval(() => memoryOf(child) > mostMemory && kill(), watchMs);
  signal.addEventListener("abort", kill);
  try {
    const [output, said] = [gathered(child.stdout, mostOutput), gathered(child.stderr, mostSaid)];
    const code = await endOf(child);
    if (signal.aborted) return { trouble: "the server ends" };
    if (code === 0) return { output: output() };
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

/** Validates the output like `read`. */
function readDrawn(output: Buffer): Drawn | undefined {
  const end = output.indexOf("\n");
  const { data } = drawnHead.safeParse(asJson(output.toString("utf8", 0, Math.max(end, 0))));
  if (!data) return undefined;
  const { width, height, lengths } = data;
  const files: Buffer[] = [];
  let at = end + 1;
  for (const length of lengths) {
    files.push(output.subarray(at, at + length));
    at += length;
  }
  const isWhole = at === output.byteLength && [0, avatarSides.length].includes(files.length);
  return isWhole && files.every(isWebp) ? { width, height, files } : undefined;
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
