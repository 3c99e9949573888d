// Names in searchable form: which spellings are equal, and with what a search for a name may begin.
import { expect, test } from "bun:test";
import { searchable, searchBeginnings } from "./names.ts";

test("case, accents, compatibility forms and letters that do not come apart do not count", () => {
  for (const [one, other] of [
    ["Zoë", "zoe"],
    ["ÅNGSTRÖM", "angstrom"],
    ["Crème Brûlée", "creme brulee"],
    ["İbrahim", "ibrahim"],
    ["Łukasz", "lukasz"],
    ["ØYSTEIN", "oystein"],
    ["Ａｎｎａ", "anna"],
    ["ﬁn", "fin"],
    ["Ελένη", "ελενη"],
    ["й", "и"],
    ["한국", "한국"],
    ["e\u0301", "é"],
    ["  Anna ", "anna"],
  ] as const)
    expect([one, searchable(one)]).toEqual([one, searchable(other)]);
  expect(searchable("anna")).not.toBe(searchable("hanna"));
});

test("a name is found by its beginning and by that of each word; nothing is listed twice", () => {
  expect(searchBeginnings("anna_7", "Anna Maria (Berlin)").sort()).toEqual([
    "(berlin)",
    "7",
    "anna maria (berlin)",
    "anna_7",
    "berlin",
    "maria",
  ]);
  expect(searchBeginnings("bob", "Bob")).toEqual(["bob"]);
  expect(searchBeginnings("bob", "Bobby")).toEqual(["bobby"]);
  expect(searchBeginnings("x-y.z", "🎉 Party").sort()).toEqual(["party", "x-y.z", "y", "z", "🎉 party"]);
  expect(searchBeginnings("ada", "東京 花子")).toEqual(["ada", "東京 花子", "花子"]);
});

test("a word is listed with its signs, and bare", () => {
  expect(searchBeginnings("ada", "!!wow 😀joy (paren)").sort()).toEqual(
    ["ada", "!!wow 😀joy (paren)", "wow", "😀joy", "joy", "(paren)", "paren"].sort(),
  );
  expect(searchBeginnings("ada", "Zoe Brontë-Ångström ♥").sort()).toEqual(
    ["ada", "zoe bronte-angstrom ♥", "bronte-angstrom", "angstrom", "♥"].sort(),
  );
  expect(searchBeginnings("ada", "Zoe a´b").sort()).toEqual(["a b", "ada", "b", "zoe a b"]);
});
