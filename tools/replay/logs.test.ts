// Parsing each kind of line in real IRC logs.

import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { parseLine, readLogs } from "./logs.ts";

let folder: TemporaryFolder | undefined;

afterEach(() => folder?.remove());

test("a line in angle brackets was said, and keeps the spaces inside it", () => {
  expect(parseLine("[11:22] <khermans> no  MD5SUM !? ")).toEqual({
    kind: "said",
    nick: "khermans",
    text: "no  MD5SUM !?",
  });
});

test("a nick may hold what usernames may not, and a space after it is no part of it", () => {
  expect(parseLine("[01:02] <zcat[1] > hm")).toEqual({ kind: "said", nick: "zcat[1]", text: "hm" });
  expect(parseLine("[01:02] <][AcHm2][> hm")).toEqual({ kind: "said", nick: "][AcHm2][", text: "hm" });
});

test("an action is said with its star and the name", () => {
  expect(parseLine("[00:25]  * Shawn|i7 facepalms")).toEqual({
    kind: "said",
    nick: "Shawn|i7",
    text: "* Shawn|i7 facepalms",
  });
});

test("a line of nothing but spaces is counted as empty", () => {
  expect(parseLine("[09:15] <silvernode>        ")).toEqual({ kind: "notice", notice: "empty" });
});

test.each([
  ["=== jx [n=jx@75-104-149-78.example]  has joined #ubuntu", "joined"],
  ["=== Nella entered the room.", "joined"],
  ['=== sangria [n=jaime@core.example]  has left #ubuntu ["Leaving"] ', "left"],
  ["=== Rat left the room (quit: has joined the others).", "left"],
  ["=== Sindacious_ is now known as Sindacious", "renamed"],
  ["=== mode/#ubuntu [-oo rob mdz]  by ChanServ", "other notice"],
  ["what is this", "not understood"],
  ["", "not understood"],
] as const)("%s: %s", (line, notice) => {
  expect(parseLine(line)).toEqual({ kind: "notice", notice });
});

test("a folder is read file by file, named after the files, with broken bytes replaced and no line lost", () => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, "b.raw.txt"), "[00:00] <ada> one\r\n\n[00:01] <ben> two");
  const latin = Buffer.concat([Buffer.from("[00:00] <cleo> caf"), Buffer.from([0xe9]), Buffer.from("\n")]);
  writeFileSync(join(folder.path, "a.log"), latin);
  writeFileSync(join(folder.path, "README.md"), "not a log");
  const [a, b, ...others] = readLogs(folder.path);
  expect(others).toEqual([]);
  expect(a).toEqual({ name: "a", lines: [{ kind: "said", nick: "cleo", text: "caf\uFFFD" }] });
  expect(b?.name).toBe("b");
  expect(b?.lines.map((line) => line.kind)).toEqual(["said", "notice", "said"]);
});

test("a folder without logs is refused with a sentence", () => {
  folder = temporaryFolder();
  const { path } = folder;
  expect(() => readLogs(path)).toThrow("There is no .txt or .log file");
});
