// The source tree for the architecture tests: every file with its text and its imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KEPT_OUT = new Set(["node_modules", ".bundle", "data", ".git", "results"]);
const IMPORT =
  /\bfrom\s+"([^"]+)"|\bimport\s*\(\s*"([^"]+)"|\bimport\s+"([^"]+)"|\bdeclare module "([^"]+)"/g;
const TYPES_ALONE = /^(import|export) type [^;"]*from\s+"[^"]+"|\bdeclare module "[^"]+"/gm;

export interface SourceFile {
  /** From the root of the project: `features/messages/store.ts`. */
  path: string;
  text: string;
  /** Our files as paths from the root; packages by their names. */
  imports: string[];
  /** The imports that are loaded at run time: without type-only imports. */
  loads: string[];
}

/** Cache of files: they do not change during a run, and several tests read the same ones. */
const known = new Map<string, SourceFile>();

/** The folders of the project that hold source files. */
export const sourceFolders = [
  "protocol",
  "features",
  "client",
  "server",
  "cli",
  "tools",
  "bench",
  "tests",
  "web",
] as const;

/** Every .ts, .tsx and .js file below these folders of the project. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => pathsBelow(folder))
    .map((path) => {
      const file = known.get(path) ?? readSource(path);
      known.set(path, file);
      return file;
    });
}

/** The path of every test file. */
export function everyTest(): string[] {
  return everyPath().filter(isTestFile);
}

/** Every path below a folder, folders included, that belongs to the project. */
export function everyPath(folder = "."): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (KEPT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...everyPath(path)] : [path];
  });
}

/** The text of a file without its comments. */
export function codeOf(file: SourceFile): string {
  return file.text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

export interface Comment {
  /** Joined into one line. */
  text: string;
  /** True if it is a block between `/**` and its end. */
  isDoc: boolean;
}

/** All comments except those after code on the same line; adjacent lines of `//` are one comment. */
export function commentsOf(file: SourceFile): Comment[] {
  const found = file.text.matchAll(/^[ \t]*(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/.*(?:\n[ \t]*(?=\/\/))?)+))/gm);
  return Array.from(found, ([, block, lines = ""]) => ({
    text: (block ?? lines)
      .replace(/^\s*(\*|\/\/)/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
    isDoc: block !== undefined,
  }));
}

export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

export function isTest(file: SourceFile): boolean {
  return isTestFile(file.path) || file.path.startsWith("tests/");
}

/** `features/messages/store.ts` → `messages`. */
export function featureOf(path: string): string | undefined {
  return /^features\/([^/]+)\//.exec(path)?.[1];
}

function pathsBelow(folder: string): string[] {
  try {
    return everyPath(folder).filter((path) => /\.(tsx?|js)$/.test(path));
  } catch {
    return []; // A folder of the plan that is not built yet.
  }
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  return {
    path,
    text,
    imports: importsIn(text, path),
    loads: importsIn(text.replace(TYPES_ALONE, ""), path),
  };
}

function importsIn(text: string, path: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
    return name.startsWith(".") ? relative(".", join(dirname(path), name)) : name;
  });
}
