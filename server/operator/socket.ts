// The client's side of the operator's socket: sends one line of words to the running server, receives one line.
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { CannotStart } from "../cannot-start.ts";

/** The output of a command. */
export interface CommandAnswer {
  ok: boolean;
  lines: string[];
}

/** The doctor's request. The answer is version, address, engine, process, epoch and the unread hop, a line each. */
export const whoIsThere = ["who-is-there"] as const;

const longestAnswer = 1024 * 1024;
export const patienceMs = 15_000;
/** The longest path of a socket, without its terminating zero; macOS has the lowest limit. */
const longestPath = 103;

/** Sends a command to the server that runs on this data folder; undefined when none does. */
export function askRunning(dataDir: string, words: readonly string[]): Promise<CommandAnswer | undefined> {
  const path = socketPath(dataDir);
  if (path === undefined || !existsSync(path)) return Promise.resolve(undefined);
  return new Promise((done, failed) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(words)}\n`));
    let isThere = false;
    socket.on("connect", () => {
      isThere = true;
    });
    socket.on(
      "data",
      hearLine(socket, longestAnswer, async (line) => {
        done(parsed(line) as CommandAnswer);
        socket.destroy();
      }),
    );
    socket.setTimeout(patienceMs, () => socket.destroy(new Error("it did not answer in time")));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (!isThere && ["ENOENT", "ECONNREFUSED", "ENOTDIR"].includes(error.code ?? "")) done(undefined);
      else failed(new CannotStart(`The Hearth that runs on ${dataDir} cannot be asked: ${error.message}.`));
    });
    socket.on("close", () =>
      failed(new CannotStart(`The Hearth that runs on ${dataDir} went away before it answered.`)),
    );
  });
}

/** Collects bytes up to the end of the first line; a line longer than `most` closes the connection. */
export function hearLine(
  socket: Socket,
  most: number,
  heard: (line: string) => Promise<void>,
): (chunk: Buffer) => void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  return (chunk) => {
    if (isOver) return;
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) {
      socket.destroy();
      return;
    }
    if (!chunk.includes(10)) return;
    isOver = true;
    void heard(Buffer.concat(chunks).toString().split("\n", 1)[0] ?? "");
  };
}

export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function socketPath(dataDir: string): string | undefined {
  const path = join(resolve(dataDir), "hearth.sock");
  return Buffer.byteLength(path) > longestPath ? undefined : path;
}
