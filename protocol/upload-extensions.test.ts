// File names: characters that are cut from their ends, because other systems cut them or readers do not see them.
import { expect, test } from "bun:test";
import { keptFileName } from "./upload-extensions.ts";

test("blanks, dots at the end and marks of direction are cut; a name of nothing else is none", () => {
  const names = {
    "  a.txt  ": "a.txt",
    "a.txt. .": "a.txt",
    ".profile": ".profile",
    "\u200fa\u200e.txt\u200f": "a.txt",
    " ..": "",
    "  ..": "",
    "\u200f. ": "",
  };
  expect(Object.fromEntries(Object.keys(names).map((name) => [name, keptFileName(name)]))).toEqual(names);
});
