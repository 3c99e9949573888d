// The log: JSON lines on standard error, gathered and written together, with secrets blanked.
import pino from "pino";
import type { Config } from "./config.ts";

export type Log = pino.Logger;

/** One answered request; nothing in it can hold a secret, so it is written without looking for any. */
export interface RequestLine {
  request_id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  ip: string;
}

export interface OpenLog {
  log: Log;
  logRequest(line: RequestLine): void;
  flush(): void;
}

const secretNames = ["password", "token", "authorization", "cookie"];

export function openLog(level: Config["logLevel"]): OpenLog {
  // Lines are gathered; a quarter of a second of them may be lost with the process, and no request waits for them.
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: 32_768,
    maxWrite: 65_536,
    periodicFlush: 250,
  });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino({ ...options, redact: secretNames.flatMap((name) => [name, `*.${name}`]) }, destination);
  const requests = pino(options, destination);
  return { log, logRequest: (line) => requests.info(line), flush: () => destination.flushSync() };
}

/** A path as it may stand in a log line: whatever sits where a secret belongs is blanked. */
export function withoutSecrets(path: string): string {
  return path.replace(/(\/webhooks\/[^/]+\/)[^/]+/, "$1…").replace(/\b(hs|hb|hw)_[A-Za-z0-9_-]+/g, "$1_…");
}
