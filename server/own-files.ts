// Paths of the program's own files other than modules: in the checkout, or in the executable of `npm run build`.
import { dirname, join } from "node:path";

/** An executable has all modules in one file, at the root of a tree that is laid out like the checkout. */
const root = Bun.isStandaloneExecutable ? import.meta.dir : dirname(import.meta.dir);

/** The programs of threads. In an executable each is a program of its own. */
export const threadPrograms = [
  "server/database/checkpoint-worker.ts",
  "server/database/snapshot-thread.ts",
  "server/last-resort.ts",
] as const;

/** Decodes pictures in a process of its own, with a library of which parts are native code. */
export const pictureProgram = "features/files/picture-process.ts";
/** The folder of that program and its library beside an executable, which cannot load native code from itself. */
export const picturesBeside = "hearth-pictures";

/** The absolute path of a file, given its path in the checkout. */
export function ownFile(path: string): string {
  return join(root, path);
}

export function threadFile(program: (typeof threadPrograms)[number]): string {
  return ownFile(program);
}

export function pictureFile(): string {
  if (!Bun.isStandaloneExecutable) return ownFile(pictureProgram);
  return join(dirname(process.execPath), picturesBeside, "picture-process.js");
}

/** The program and the first arguments of a process that runs the operator's command line. */
export function commandLine(): [program: string, ...args: string[]] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, "--no-install", ownFile("cli/main.ts")];
}

/** The environment with which an executable acts as the runtime, and runs a given program. */
export const asRuntime: Readonly<Record<string, string>> = Bun.isStandaloneExecutable
  ? { BUN_BE_BUN: "1" }
  : {};
