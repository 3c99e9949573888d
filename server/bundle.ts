// The server's modules in one file, made by `npm ci`, and whether that still holds what the sources say.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a bundle was made of and made by. All paths are relative to the checkout. */
export interface BundleList {
  /** Where the checkout lay: threads are started from files in it. */
  root: string;
  /** Another runtime reads modules, and the compiled code beside them, in another way. */
  runtime: string;
  /** The file that holds the program. */
  program: string;
  /** Every file that was read for it or belongs to it: how its bytes are told from others, and what they were. */
  files: [path: string, stamp: string, hash: string][];
}

/** In the checkout, and not part of it. */
export const bundleFolder = ".bundle";
export const bundleListFile = join(bundleFolder, "list.json");
export const runtime = `Bun ${Bun.version} ${Bun.revision} ${process.platform} ${process.arch}`;

/** The file that holds the program, or undefined where there is none, it is broken, or any file of it has changed. */
export function bundledProgram(root: string): string | undefined {
  try {
    const list: BundleList = JSON.parse(readFileSync(join(root, bundleListFile), "utf8"));
    if (list.root !== root || list.runtime !== runtime) return undefined;
    for (const [path, stamp, hash] of list.files) {
      const file = join(root, path);
      // In a copy, or after changing branches to and fro, the times differ and the bytes may be the same.
      if (stampOf(file) !== stamp && hashOf(file) !== hash) return undefined;
    }
    return join(root, list.program);
  } catch {
    return undefined;
  }
}

/**
 * Differs after every change of the file. The time of the last change of the inode counts, which nobody can set: archives
 * and packages set the other one to what it once was, or to the same for all files.
 */
export function stampOf(file: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Against mistakes, not against people: whoever may write the bundle may write the sources. */
export function hashOf(file: string): string {
  return Bun.hash(readFileSync(file)).toString(36);
}
