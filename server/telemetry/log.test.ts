// The log: where its lines go when nobody takes them just now.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/house/folder.ts";
import { gatherLines, openLog } from "./log.ts";

test("what is said right before the end is there when the process ends", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "log");
  const { log } = openLog({ logLevel: "error", secrets: [] }, [], openSync(path, "w"));
  log.error("cut off");
  log.flush();
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ level: "error", msg: "cut off" });
  folder.remove();
});

describe("a pipe that takes no more for now", () => {
  const line = `${"a".repeat(99)}\n`;

  /** A pipe as some supervisors give it: writing to it when it is full fails instead of waiting. */
  async function withPipe(work: (pipe: number) => Promise<void>): Promise<void> {
    const folder = temporaryFolder();
    const path = join(folder.path, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      await work(pipe);
    } finally {
      closeSync(pipe);
      folder.remove();
    }
  }

  function readAll(pipe: number): string {
    const some = Buffer.alloc(1024 * 1024);
    try {
      return some.toString("utf8", 0, readSync(pipe, some));
    } catch {
      return "";
    }
  }

  test("gets every line, once it takes them", () =>
    withPipe(async (pipe) => {
      const log = gatherLines(pipe);
      for (let i = 0; i < 5000; i++) log.write(line);
      let read = "";
      while (read.length < 5000 * line.length) {
        read += readAll(pipe);
        await Bun.sleep(5);
      }
      expect(read).toBe(line.repeat(5000));
    }));

  test("keeps nobody from ending", () =>
    withPipe(async (pipe) => {
      const log = gatherLines(pipe);
      for (let i = 0; i < 1000; i++) log.write(line);
      log.flush();
      for (let i = 0; i < 1000; i++) log.write(line);
      log.flush();
      expect(readAll(pipe)).toStartWith(line.repeat(100));
    }));
});
