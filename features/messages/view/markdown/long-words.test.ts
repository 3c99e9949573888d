// Splitting long words: nothing is lost, and no letter is split.
import { expect, test } from "bun:test";
import { isValidElement, type ReactElement, type ReactNode } from "react";
import { withLongWords } from "./long-words.tsx";

function piecesOf(text: string): string[] {
  const made = withLongWords(text);
  const parts: readonly ReactNode[] = Array.isArray(made) ? made : [made];
  return parts.map((part) =>
    isValidElement(part) ? String((part as ReactElement<{ children: string }>).props.children) : String(part),
  );
}

const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" });

test("a word of thousands of letters comes in pieces, and says the same", () => {
  for (const word of [
    "W".repeat(4000),
    `https://a.example/${"path/".repeat(700)}`,
    "👩‍👩‍👧".repeat(400),
    "e\u0301".repeat(900),
    "🇩🇪".repeat(900),
    `a${"\u0300".repeat(3000)}`,
    `👩${"\u200d👩".repeat(1000)}`,
  ]) {
    const text = `Look: ${word} and ${word}!`;
    const pieces = piecesOf(text);
    expect(pieces.join("")).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(48);
  }
});

test("no letter comes apart from what belongs to it", () => {
  for (const letter of ["🙂", "👩‍👩‍👧", "👍🏽", "e\u0301", "🏳️‍🌈", "🇩🇪", "1️⃣", "á̂̃", "क्षि", "각", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]) {
    for (let before = 0; before < 40; before++) {
      const text = "a".repeat(before) + letter.repeat(60);
      const whole = [...segments.segment(text)].map(({ segment }) => segment);
      const apart = piecesOf(text).flatMap((piece) =>
        [...segments.segment(piece)].map(({ segment }) => segment),
      );
      expect(apart.filter((each) => each !== "")).toEqual(whole);
    }
  }
});

test("what people write every day is left as it is", () => {
  for (const text of [
    "",
    "Some words, and a long one: Donaudampfschifffahrtsgesellschaftskapitän.",
    "a ".repeat(2000),
  ])
    expect(withLongWords(text)).toBe(text);
});
