// Moving in the emoji picker: from row to row across the heads between them, and never beyond an end.
import { expect, test } from "bun:test";
import type { Emoji } from "./entries.ts";
import { emojiAt, firstPlace, moved, pickerRows } from "./picker-rows.ts";

const made = (group: number, count: number) =>
  Array.from({ length: count }, (_, i): Emoji => {
    const emoji = String.fromCodePoint(0x1f600 + group * 50 + i);
    return { emoji, code: `e${group}_${i}`, group, tones: [], name: `emoji ${i}`, words: [] };
  });
const all = [...made(0, 10), ...made(1, 3)];
const codeAfter = (rows: ReturnType<typeof pickerRows>, ...keys: string[]) => {
  let place = firstPlace(rows);
  for (const key of keys) place = place && (moved(rows, place, key) ?? place);
  return emojiAt(rows, place)?.code;
};

test("eight in a row, a head for each group, what was used last at the top", () => {
  const rows = pickerRows(all, [all[12]?.emoji ?? "", "🦄"], "");
  expect(rows.map((row) => (row.kind === "head" ? row.group : row.items.length))).toEqual([
    "recent",
    1,
    0,
    8,
    2,
    1,
    3,
  ] as never);
});

test("arrow keys pass the heads and stop at the ends", () => {
  const rows = pickerRows(all, [], "");
  expect(codeAfter(rows, "ArrowLeft")).toBe("e0_0");
  expect(codeAfter(rows, "ArrowRight")).toBe("e0_1");
  expect(codeAfter(rows, "ArrowDown")).toBe("e0_8");
  expect(codeAfter(rows, "ArrowDown", "ArrowDown")).toBe("e1_0");
  expect(codeAfter(rows, "ArrowDown", "ArrowDown", "ArrowDown")).toBe("e1_0");
  expect(codeAfter(rows, "ArrowDown", "ArrowDown", "ArrowLeft")).toBe("e0_9");
  const sevenRight = Array.from({ length: 7 }, () => "ArrowRight");
  expect(codeAfter(rows, ...sevenRight)).toBe("e0_7");
  expect(codeAfter(rows, ...sevenRight, "ArrowDown")).toBe("e0_9");
  expect(codeAfter(rows, ...sevenRight, "ArrowRight")).toBe("e0_8");
  expect(codeAfter(rows, "PageDown")).toBe("e1_0");
  expect(codeAfter(rows, "PageDown", "PageUp")).toBe("e0_0");
});

test("what was searched and not found has no place", () => {
  expect(firstPlace(pickerRows(all, [], "no such thing"))).toBeUndefined();
});
