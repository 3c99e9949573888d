// Where the program's own files lie that are no modules of it: in the checkout, or in the executable that `npm run build` makes.
import { dirname, join } from "node:path";

/** An executable has all modules in one file, at the root of a tree that is laid out like the checkout. */
const root = Bun.isStandaloneExecutable ? import.meta.dir : dirname(import.meta.dir);

/** What threads run. In an executable each is a program of its own. */
export const threadPrograms = [
  "server/database/checkpoint-worker.ts",
  "server/database/snapshot-thread.ts",
  "server/last-resort.ts",
] as const;

/** Decodes pictures in a process of its own, by a library of which parts are native code. */
export const pictureProgram = "features/files/picture-process.ts";
/** Where that program and its library lie beside an executable, which native code cannot be loaded from. */
export const picturesBeside = "hearth-pictures";

/** The path of a file by its path in the checkout. */
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

/** With this in its environment an executable is the runtime, and runs a program that it is given. */
export const asRuntime: Readonly<Record<string, string>> = Bun.isStandaloneExecutable
  ? { BUN_BE_BUN: "1" }
  : {};
