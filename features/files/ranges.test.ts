// Parsing of Range headers. The grammar has no blanks: reading several side by side once took a second per header.
import { expect, test } from "bun:test";
import { spanOf } from "./ranges.ts";

const asked = (range: string) => spanOf(new Headers({ Range: range }), '"x"', 10);

test("a part is read as the standard writes it, and blanks inside make it no range", () => {
  expect(asked("bytes=2-4")).toEqual({ first: 2, last: 4 });
  for (const range of ["bytes =2-4", "bytes= 2-4", "bytes=2 -4", "bytes=2- 4"])
    expect({ range, span: asked(range) }).toEqual({ range, span: undefined });
});
