// The way a failed start is reported: one sentence on standard error, and exit code 1.
import { expect } from "bun:test";
import type { Ended } from "../house/machine/process.ts";

/** Fails unless the start was refused with one sentence that matches `says`. */
export function expectOneSentence({ exitCode, stdout, stderr }: Ended, says: string | RegExp): void {
  expect({ stderr, exitCode, stdout }).toMatchObject({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(says);
  expect(stderr).toEndWith(".\n");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d+|Error:/);
}
