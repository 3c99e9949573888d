// The bundle: the server's modules in one file, made by `npm ci`, and the check that it still matches the sources.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a bundle was made of, and by which runtime. All paths are relative to the checkout. */
export interface BundleList {
  /** Where the checkout lay: threads are started from files in it. */
  root: string;
  /** The runtime that made it: another one reads modules, and the compiled code beside them, in another way. */
  runtime: string;
  /** The file that holds the program. */
  program: string;
  /** Every file that was read for the bundle or belongs to it: a stamp of its metadata, and a hash of its bytes. */
  files: [path: string, stamp: string, hash: string][];
}

/** Lies in the checkout, but is not part of it. */
export const bundleFolder = ".bundle";
export const bundleListFile = join(bundleFolder, "list.json");
export const runtime = `Bun ${Bun.version} ${Bun.revision} ${process.platform} ${process.arch}`;

/** Returns the file that holds the program; undefined where there is none, it is broken, or a file has changed. */
export function bundledProgram(root: string): string | undefined {
  try {
    const list: BundleList = JSON.parse(readFileSync(join(root, bundleListFile), "utf8"));
    if (list.root !== root || list.runtime !== runtime) return undefined;
    for (const [path, stamp, hash] of list.files) {
      const file = join(root, path);
      // In a copy of the checkout, or after changing branches to and fro, the times differ and the bytes may be the
      // same.
      if (stampOf(file) !== stamp && hashOf(file) !== hash) return undefined;
    }
    return join(root, list.program);
  } catch {
    return undefined;
  }
}

/**
 * Returns a text that differs after every change of the file. It holds the time of the inode's last change, which no
 * program can set: archives and packages set the time of the file's last change to what it once was, or to the same for
 * all files.
 */
export function stampOf(file: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * Returns a hash of a file's bytes. It guards against mistakes, not against people: a person who may write the bundle
 * may write the sources.
 */
export function hashOf(file: string): string {
  return Bun.hash(readFileSync(file)).toString(36);
}
