// The log: what a path may say in a line of it, and where the lines go when nobody takes them just now.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../tests/house/folder.ts";
import { gatherLines, withoutSecrets } from "./log.ts";

const token = "A".repeat(43);

describe("a path in the log", () => {
  test("stays as it is when it holds no secret", () => {
    for (const path of [
      "/",
      "/api/v1/servers",
      "/api/v1/channels/x/webhooks",
      "/webhooks/an-id",
      "/api/v1/hs",
      "/ths_/x",
    ]) {
      expect(withoutSecrets(path)).toBe(path);
    }
  });

  test("shows where a webhook's token was, at the root and under /api/v1", () => {
    expect(withoutSecrets("/webhooks/an-id/any-token")).toBe("/webhooks/an-id/…");
    expect(withoutSecrets(`/api/v1/webhooks/an-id/hw_${token}`)).toBe("/api/v1/webhooks/an-id/…");
  });

  test("blanks what is written in other letters or percent-encoded as well", () => {
    expect(withoutSecrets(`/x/hs%5f${token}`)).toBe("/x/hs%5f…");
    expect(withoutSecrets(`/x/HS_${token}/y`)).toBe("/x/HS_…/y");
    expect(withoutSecrets(`/Webhooks/a/hw%5F${token}`)).toBe("/Webhooks/a/…");
    expect(withoutSecrets(`/x/hs_${token.slice(0, 9)}%2D${token.slice(9)}`)).toBe("/x/hs_…");
  });

  test("blanks every token of ours, wherever it stands", () => {
    for (const prefix of ["hs", "hb", "hw", "hr"]) {
      expect(withoutSecrets(`/api/v1/servers/${prefix}_${token}/x`)).toBe(`/api/v1/servers/${prefix}_…/x`);
      expect(withoutSecrets(`/a/${prefix}_${token}/b/${prefix}_${token}`)).toBe(
        `/a/${prefix}_…/b/${prefix}_…`,
      );
    }
  });
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
