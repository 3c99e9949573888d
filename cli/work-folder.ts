// A temporary folder for some work: removed when the work ends, fails, or is interrupted.
import { mkdtempSync, rmSync } from "node:fs";

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** The folder's name begins with `prefix`; only its owner may read it. */
export async function inFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  // Listens before the folder exists, so that no signal leaves one behind.
  const listeners = Object.entries(signals).map(([signal, number]) => {
    const stop = () => process.exit(128 + number);
    process.on(signal, stop);
    return [signal, stop] as const;
  });
  // Temporary folders may be nested: all are removed when the process ends.
  process.on("exit", remove);
  try {
    folder = mkdtempSync(prefix);
    return await work(folder);
  } finally {
    remove();
    process.off("exit", remove);
    for (const [signal, stop] of listeners) process.off(signal, stop);
  }
}
