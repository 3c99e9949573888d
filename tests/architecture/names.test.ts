// Names of files and folders, and their first lines, which a newcomer reads before any code.
import { expect, test } from "bun:test";
import { everyPath, sourceFiles } from "./tree.ts";

const everywhere = sourceFiles(
  "protocol",
  "features",
  "client",
  "server",
  "web",
  "tests",
  "tools",
  "bench",
  "cli",
);

test("nothing is called util, helper, common, manager, service or base", () => {
  const empty = new Set(["util", "helper", "common", "manager", "service", "base"]);
  const wrong = everyPath().filter((path) => {
    // systemd requires the ending of its unit files.
    const name = (path.split("/").at(-1) ?? "").replace(/^(hearth)\.service$/, "$1");
    const words = name.toLowerCase().split(/[-_.]/);
    return words.some((word) => empty.has(word) || empty.has(word.replace(/s$/, "")));
  });
  expect(wrong).toEqual([]);
});

test("files and folders are named in kebab-case", () => {
  const wrong = everywhere.map((file) => file.path).filter((path) => !/^[a-z0-9./-]+$/.test(path));
  expect(wrong).toEqual([]);
});

test("every file opens with a sentence that says what it is for", () => {
  const wrong = everywhere.filter((file) => {
    const lines = file.text.split("\n").filter((line) => !line.startsWith("#!"));
    const comment = lines.findIndex((line) => !line.startsWith("//"));
    const sentence = lines
      .slice(0, Math.max(0, comment))
      .map((line) => line.slice(2).trim())
      .join(" ");
    return !/^\W?\w.{15,}[.?!]$/.test(sentence);
  });
  expect(wrong.map((file) => `${file.path}: ${file.text.split("\n")[0]}`)).toEqual([]);
});

test("no test is switched off, and no check is silenced", () => {
  const silenced = /@ts-(ignore|nocheck)|\b(test|it|describe)\.(only|todo)\b/;
  const wrong = everywhere.filter(
    (file) => file.path !== "tests/architecture/names.test.ts" && silenced.test(file.text),
  );
  expect(wrong.map((file) => file.path)).toEqual([]);
});
