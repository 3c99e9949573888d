// Which texts are emoji alone.
import { expect, test } from "bun:test";
import { isOnlyEmoji } from "./emoji-text.ts";

test("emoji alone, with tones, families, flags and spaces between them", () => {
  for (const text of ["🎉", "👍🏽 👍", "👩‍👩‍👧", "🇩🇪", "❤️\n❤️", "1️⃣"])
    expect([text, isOnlyEmoji(text)]).toEqual([text, true]);
});

test("no words, no numbers, no picture of thirty", () => {
  for (const text of ["", "hi 🎉", "42", "#1", "*", "🎉".repeat(30), ":wave:"])
    expect([text, isOnlyEmoji(text)]).toEqual([text, false]);
});
