// A temporary folder that a test removes when it ends.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "hearth-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
