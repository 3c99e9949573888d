// Temporary folders, deleted at the end of the run, also when it is interrupted.
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Scratch extends Disposable {
  path: string;
}

const folders = new Set<string>();
const tmpfs = 0x01021994;

export function scratchFolder(): Scratch {
  const path = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  folders.add(path);
  return { path, [Symbol.dispose]: () => remove(path) };
}

export function removeAllScratch(): void {
  for (const path of folders) remove(path);
}

/** True if temporary folders are in memory, where a commit costs nothing and its figure means nothing. */
export function scratchIsMemory(): boolean {
  return statfsSync(tmpdir()).type === tmpfs;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  folders.delete(path);
}
