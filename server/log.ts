// The log: JSON lines on standard error, gathered and written together, with secrets blanked.
import pino from "pino";
import type { Config } from "./config.ts";

export type Log = pino.Logger;

export function openLog(level: Config["logLevel"]): { log: Log; flush(): void } {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 8192, periodicFlush: 250 });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: [
        "password",
        "token",
        "authorization",
        "cookie",
        "*.password",
        "*.token",
        "*.authorization",
        "*.cookie",
      ],
    },
    destination,
  );
  return { log, flush: () => destination.flushSync() };
}

/** A path as it may stand in a log line: whatever sits where a secret belongs is blanked. */
export function withoutSecrets(path: string): string {
  return path.replace(/(\/webhooks\/[^/]+\/)[^/]+/, "$1…").replace(/\b(hs|hb|hw)_[A-Za-z0-9_-]+/g, "$1_…");
}
