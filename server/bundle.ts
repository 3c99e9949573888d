// The bundle: the server's modules in one file, made by `npm ci`, and the check that it still matches the sources.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The inputs of a bundle, and the runtime that built it. All paths are relative to the checkout. */
export interface BundleList {
  /** The checkout's path at build time: threads are started from files in it. */
  root: string;
  /** The runtime that built it: another one resolves modules, and the compiled code beside them, differently. */
  runtime: string;
  /** The file that holds the program. */
  program: string;
  /** Every file that was read for the bundle or belongs to it: a stamp of its metadata, and a hash of its bytes. */
  files: [path: string, stamp: string, hash: string][];
}

/** In the checkout, but not tracked by git. */
export const bundleFolder = ".bundle";
export const bundleListFile = join(bundleFolder, "list.json");
export const runtime = `Bun ${Bun.version} ${Bun.revision} ${process.platform} ${process.arch}`;

/** Returns the file that holds the program; undefined when it is missing or broken, or a source file has changed. */
export function bundledProgram(root: string): string | undefined {
  try {
    const list: BundleList = JSON.parse(readFileSync(join(root, bundleListFile), "utf8"));
    if (list.root !== root || list.runtime !== runtime) return undefined;
    for (const [path, stamp, hash] of list.files) {
      const file = join(root, path);
      // In a copy of the checkout, or after switching branches back and forth, the times differ and the bytes may be
      // the same.
      if (stampOf(file) !== stamp && hashOf(file) !== hash) return undefined;
    }
    return join(root, list.program);
  } catch {
    return undefined;
  }
}

/**
 * Returns a text that differs after every change of the file. It holds the inode's change time (ctime), which no
 * program can set: archives and packages set the modification time to that of the original, or to the same for all
 * files.
 */
export function stampOf(file: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * Returns a hash of a file's bytes. It guards against mistakes, not attackers: a person who may write the bundle may
 * write the sources.
 */
export function hashOf(file: string): string {
  return Bun.hash(readFileSync(file)).toString(36);
}
