// A folder for the time of some work: gone when the work ends, fails, or is asked to stop.
import { rmSync } from "node:fs";

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

export async function inFolder<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const listeners = Object.entries(signals).map(([signal, number]) => {
    const stop = () => {
      remove();
      process.exit(128 + number);
    };
    process.on(signal, stop);
    return [signal, stop] as const;
  });
  try {
    return await work(folder);
  } finally {
    for (const [signal, stop] of listeners) process.off(signal, stop);
    remove();
  }
}
