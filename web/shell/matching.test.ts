// What somebody types in the switcher finds names as people would expect, the nearest first.
import { expect, test } from "bun:test";
import { match } from "./matching.ts";

test("a name is found by its beginning, its words, their initials, and what is inside of it", () => {
  expect(match("dr", "drivers")?.ranges).toEqual([[0, 2]]);
  expect(match("desk", "show-your-desktop")?.ranges).toEqual([[10, 14]]);
  expect(match("dr", "doc-review")?.ranges).toEqual([
    [0, 1],
    [4, 5],
  ]);
  expect(match("topic", "offtopic")?.ranges).toEqual([[3, 8]]);
  expect(match("xyz", "drivers")).toBeUndefined();
});

test("the better fit comes first", () => {
  const names = ["Dundrum", "my-drivers", "doc-review", "drivers"];
  const scored = names.map((name) => ({ name, score: match("dr", name)?.score ?? 99 }));
  expect(scored.sort((one, other) => one.score - other.score).map(({ name }) => name)).toEqual([
    "drivers",
    "my-drivers",
    "doc-review",
    "Dundrum",
  ]);
});

test("case and accents do not count", () => {
  expect(match("ELOD", "Élodie")).toBeDefined();
  expect(match("élo", "elodie")?.ranges).toEqual([[0, 3]]);
  expect(match("", "anything")?.ranges).toEqual([]);
});
