// Names of files: what is cut from their ends, where other systems would cut it or a reader would not see it.
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
