// The log: JSON lines on standard error, gathered and written together, with secrets redacted.

import { write, writeSync } from "node:fs";
import pino from "pino";
import { timeText } from "../../protocol/clock.ts";
import type { Config } from "../config/config.ts";
import { type Known, pathWithoutSecrets, secretPlace, tokenStart, valueWithoutSecrets } from "../secrets.ts";
import { toldError } from "./told-error.ts";

export type Log = pino.Logger;

/** Writes the log line of one answered request. */
export type LogRequest = (
  requestId: string,
  method: string,
  path: string,
  status: number,
  ms: number,
  address: string | undefined,
) => void;

export interface OpenLog {
  /** The latest lines are lost unless `flush` is called before the process ends. */
  log: Log;
  logRequest: LogRequest;
}

/** A longer line is replaced by a short one. */
const longestLine = 64 * 1024;

/** A path of the API, and which of its parameters is a secret. */
export interface SecretPath {
  path: string;
  secretParam: string;
}

/** Writes to standard error, or to the given file descriptor. */
export function openLog(
  { logLevel: level, secrets }: Pick<Config, "logLevel" | "secrets">,
  secretPaths: readonly SecretPath[] = [],
  fd = 2,
): OpenLog {
  const destination = gatherLines(fd);
  const places = secretPaths.map(({ path, secretParam }) => secretPlace(path, secretParam));
  const known = [...secrets, ...places];
  const shown = {
    ...destination,
    write: (line: string) => destination.write(lineWithoutSecrets(line, known)),
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: toldError },
    },
    shown,
  );
  const logsRequests = log.isLevelEnabled("info");
  const shownPath = pathShower(secretPaths, places);
  return {
    log,
    // Written by hand in pino's format, because it is written for every request; only the path can hold a secret.
    logRequest(requestId, method, path, status, ms, address) {
      if (!logsRequests) return;
      const ip = address === undefined ? "" : `,"ip":${quoted(address)}`;
      destination.write(
        `{"level":"info","time":"${timeText(Date.now())}","request_id":"${requestId}","method":${quoted(method)},"path":${shownPath(path)},"status":${status},"ms":${Math.round(ms * 1000) / 1000}${ip}}\n`,
      );
    },
  };
}

function lineWithoutSecrets(line: string, known: Known): string {
  const said = JSON.parse(line) as Record<string, unknown>;
  const shown = JSON.stringify(valueWithoutSecrets(said, known));
  if (shown.length <= longestLine) return `${shown}\n`;
  const { level, time, msg } = said;
  return `${JSON.stringify(valueWithoutSecrets({ level, time, msg, left_out: shown.length }, known))}\n`;
}

/** Tested first, as most paths are plain and hold no secret. */
function pathShower(secretPaths: readonly SecretPath[], places: Known): (path: string) => string {
  const beginnings = secretPaths.map(({ path }) => RegExp.escape(path.slice(1, path.indexOf("{"))));
  const suspicious = new RegExp(["eyJ", tokenStart, "://", ...beginnings].join("|"), "i");
  return (path) => {
    const isPlain = /^[\w/.:@-]*$/.test(path) && !suspicious.test(path);
    return isPlain ? `"${path}"` : JSON.stringify(pathWithoutSecrets(path, places));
  };
}

/** A JSON string; most texts need no escaping. */
function quoted(text: string): string {
  return /^[\w/.:@-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

const gatherMs = 250;
const retryMs = 10;
const writeAtLength = 131_072;
/** Bytes of lines that may wait while standard error accepts none; further lines are dropped and counted. */
const mostWaiting = 4 * 1024 * 1024;

/**
 * Gathers lines and writes them together, so that no request waits: up to a quarter of a second of lines is lost with
 * the process. (Pino's own destination measures each line in bytes, which cost a quarter of a post.)
 */
export function gatherLines(fd: number): { write(line: string): void; flush(): void } {
  let lines = "";
  let dropped = 0;
  let writing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function take(): string {
    const text = lines + (dropped > 0 ? `{"level":"warn","msg":"${dropped} log lines were dropped"}\n` : "");
    lines = "";
    dropped = 0;
    return text;
  }

  function writeOut(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writing || lines.length === 0) return;
    writing = true;
    send(Buffer.from(take()));
  }

  // A non-blocking pipe accepts a part of the bytes, or none for now.
  function send(bytes: Buffer): void {
    write(fd, bytes, (error, written) => {
      const left = bytes.subarray(error ? 0 : written);
      if (left.length > 0 && (!error || error.code === "EAGAIN")) {
        setTimeout(() => send(left), retryMs);
        return;
      }
      writing = false;
      if (lines.length >= writeAtLength) writeOut();
      else if (lines.length > 0) timer ??= setTimeout(writeOut, gatherMs);
    });
  }

  return {
    write(line) {
      if (lines.length > mostWaiting) {
        dropped++;
        return;
      }
      lines += line;
      if (lines.length >= writeAtLength && !writing) writeOut();
      else timer ??= setTimeout(writeOut, gatherMs);
    },
    flush() {
      clearTimeout(timer);
      try {
        if (lines.length > 0) writeSync(fd, take());
      } catch {
        // Standard error is gone and nobody can be told: the house has to be closed all the same.
      }
    },
  };
}
