// Syntax colours: none where highlighting would take long, and no letter lost.
import { expect, test } from "bun:test";
import { highlighted, type Piece } from "./highlight.ts";

const textOf = (pieces: readonly Piece[] = []) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

test("code has colours, and a line of over 300 letters in it has none", () => {
  const long = `const a = "${"x".repeat(300)}";\n`;
  const text = `const b = 1;\n${long}const c = 2;`;
  const pieces = highlighted(text, "ts");
  expect(textOf(pieces)).toBe(text);
  expect(pieces).toContain(long);
  expect(pieces).toContainEqual({ as: "key", text: "const" });
});

test("code of nothing but things to be coloured is shown as it was typed", () => {
  expect(highlighted("1 a\n".repeat(1000), "ts")).toBeUndefined();
});

test("code without anything to be coloured is not drawn a second time", () => {
  for (const text of ["a b c", `const a = ${"a b ".repeat(900)}`])
    expect(highlighted(text, "ts")).toBeUndefined();
});

test("nothing is known of a language that there is not", () => {
  expect(highlighted("a", "no-such-language")).toBeUndefined();
});
