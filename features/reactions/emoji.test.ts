// Single emoji are recognised, and each has one canonical form.
import { describe, expect, test } from "bun:test";
import { normaliseEmoji } from "../../protocol/emoji.ts";

describe("one emoji", () => {
  const good = [
    "👍",
    "👍🏽",
    "😀",
    "❤️",
    "☺️",
    "🇩🇪",
    "1️⃣",
    "#️⃣",
    "👩‍🚀",
    "👩🏾‍🚀",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🏴‍☠️",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "❤️‍🔥",
    "🧑🏻‍❤️‍💋‍🧑🏿",
    "🤷🏽‍♀️",
    "👁️‍🗨️",
    "™️",
    "🫨",
    ":wave:",
    ":+1:",
    ":party-parrot_2:",
    `:${"a".repeat(62)}:`,
    `${"👨\u200d".repeat(8)}👨`,
  ];
  for (const emoji of good) {
    test(`${emoji} is one, and stays as it is`, () => {
      expect(normaliseEmoji(emoji)).toBe(emoji);
    });
  }

  const bad = [
    "",
    " ",
    "a",
    "1",
    "#",
    "👍👍",
    "👍 ",
    " 👍",
    "👍a",
    "🇩",
    "🇩🇪🇫",
    "\u200d",
    "👍\u200d",
    "\u200d👍",
    "👩\u200d\u200d🚀",
    "\ufe0f",
    "🏽🏽",
    "..",
    "/",
    "%2F",
    "../../etc/passwd",
    "<img>",
    "::",
    ":a b:",
    ":wave",
    `:${"a".repeat(63)}:`,
    ":wäve:",
    "👍\0",
    "\ud83d",
    "👨‍".repeat(20),
    // Ten people are 67 bytes in 29 UTF-16 code units, nine are 60 bytes.
    `${"👨\u200d".repeat(9)}👨`,
    "👍".repeat(200_000),
  ];
  for (const text of bad) {
    test(`${JSON.stringify(text.slice(0, 40))} is none`, () => {
      expect(normaliseEmoji(text)).toBeUndefined();
    });
  }

  test("with or without a variation selector it is the same one", () => {
    const twins: [string, string][] = [
      ["❤", "❤️"],
      ["☺", "☺️"],
      ["👍️", "👍"],
      ["1⃣", "1️⃣"],
      ["🏳‍🌈", "🏳️‍🌈"],
      ["❤‍🔥", "❤️‍🔥"],
      ["🤷‍♀", "🤷‍♀️"],
      ["👁‍🗨", "👁️‍🗨️"],
      ["🏴‍☠", "🏴‍☠️"],
    ];
    for (const [one, other] of twins) expect([one, normaliseEmoji(one)]).toEqual([one, other]);
  });

  test("normalising twice is normalising once", () => {
    for (const emoji of good) {
      const once = normaliseEmoji(emoji) ?? "";
      expect(normaliseEmoji(once)).toBe(once);
    }
  });
});
