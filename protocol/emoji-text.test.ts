// Texts that consist of emoji alone.
import { expect, test } from "bun:test";
import { normaliseEmoji } from "./emoji.ts";
import { isOnlyEmoji } from "./emoji-text.ts";

test("emoji alone, with tones, families, flags and spaces between them", () => {
  for (const text of ["🎉", "👍🏽 👍", "👩‍👩‍👧", "🇩🇪", "❤️\n❤️", "1️⃣"])
    expect([text, isOnlyEmoji(text)]).toEqual([text, true]);
});

test("no words, no numbers, no picture of thirty", () => {
  for (const text of ["", "hi 🎉", "42", "#1", "*", "🎉".repeat(30), ":wave:"])
    expect([text, isOnlyEmoji(text)]).toEqual([text, false]);
});

test("a long row of flags or of joined signs is read once, not in every combination", () => {
  // Each further character would double the time: these would never end.
  expect(isOnlyEmoji(`${"🇩🇪".repeat(900)} a`)).toBe(false);
  expect(normaliseEmoji(`♀${"\u200d♀".repeat(31)}x`)).toBe(undefined);
});

test("of a long text no more is cut than decides", () => {
  const { segment } = Intl.Segmenter.prototype;
  let cut = 0;
  Intl.Segmenter.prototype.segment = function (text) {
    const segments = segment.call(this, text);
    const all = segments[Symbol.iterator].bind(segments);
    segments[Symbol.iterator] = function* () {
      for (const each of all()) {
        cut++;
        yield each;
      }
    } as typeof all;
    return segments;
  };
  try {
    for (const text of ["🙂".repeat(2000), "1🙂".repeat(1300), `🙂${" ".repeat(3000)}${"🙂".repeat(30)}`])
      expect(isOnlyEmoji(text)).toBe(false);
  } finally {
    Intl.Segmenter.prototype.segment = segment;
  }
  expect(cut).toBeGreaterThan(0);
  expect(cut).toBeLessThan(100);
});
