// The log: JSON lines on standard error, gathered and written together, with secrets blanked.

import { write, writeSync } from "node:fs";
import pino from "pino";
import { timeText } from "../../protocol/clock.ts";
import type { Config } from "../config/config.ts";
import { type Known, pathWithoutSecrets, secretPlace, tokenStart, valueWithoutSecrets } from "../secrets.ts";
import { toldError } from "./told-error.ts";

export type Log = pino.Logger;

/** One line for one answered request. */
export type LogRequest = (
  requestId: string,
  method: string,
  path: string,
  status: number,
  ms: number,
  address: string | undefined,
) => void;

export interface OpenLog {
  /** What is to be read of the last moments needs a `flush` before the process ends. */
  log: Log;
  logRequest: LogRequest;
}

/** What is longer says too much of something, and is told in short. */
const longestLine = 64 * 1024;

/** A path of the interface, and which of its parameters is a secret. */
export interface SecretPath {
  path: string;
  secretParam: string;
}

/** Writes to standard error, or to the file descriptor that is named. */
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
    // Written by hand, as pino would, since it is written for every request: only its path can hold a secret.
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

/** Two looks, as most paths are plain and hold nothing. */
function pathShower(secretPaths: readonly SecretPath[], places: Known): (path: string) => string {
  const beginnings = secretPaths.map(({ path }) => RegExp.escape(path.slice(1, path.indexOf("{"))));
  const suspicious = new RegExp(["eyJ", tokenStart, "://", ...beginnings].join("|"), "i");
  return (path) => {
    const isPlain = /^[\w/.:@-]*$/.test(path) && !suspicious.test(path);
    return isPlain ? `"${path}"` : JSON.stringify(pathWithoutSecrets(path, places));
  };
}

/** As JSON; most of what is logged needs no escaping. */
function quoted(text: string): string {
  return /^[\w/.:@-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

const gatherMs = 250;
const retryMs = 10;
const writeAtLength = 131_072;
/** Lines that may wait while standard error takes none; past it they are dropped and counted. */
const mostWaiting = 4 * 1024 * 1024;

/**
 * Gathers lines and writes them together, without a request waiting for it: up to a quarter of a second of them is
 * lost with the process. (Pino's own destination measures each line in bytes, which cost a quarter of a post.)
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

  // A pipe that does not wait takes a part of it, or nothing for now.
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
        // Nobody takes it, and nobody is left to tell: the house has to be closed all the same.
      }
    },
  };
}
