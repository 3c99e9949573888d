// The lists of emoji: complete in both languages, searchable by name and short code, in every tone.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emojiIn, foundEmoji, inTone } from "./entries.ts";

const listOf = (language: string) => emojiIn(readFileSync(join(import.meta.dir, `${language}.txt`), "utf8"));
const [english, german] = [listOf("en"), listOf("de")];
const first = (list: typeof english, query: string) => foundEmoji(list, query, 1)[0]?.emoji;

test("both languages have the same ones, with a name and a short code of their own", () => {
  expect(english.length).toBeGreaterThan(1800);
  expect(german.map(({ emoji }) => emoji)).toEqual(english.map(({ emoji }) => emoji));
  for (const list of [english, german])
    expect(list.filter(({ code, name }) => !/^[a-z0-9_+-]+$/.test(code) || name === "")).toEqual([]);
  expect(new Set(english.map(({ code }) => code)).size).toBe(english.length);
});

test("they are found by short code, name and words, in the language of the reader", () => {
  expect(first(english, "crossed_fingers")).toBe("🤞");
  expect(first(english, ":+1:")).toBe("👍");
  expect(first(english, "rocket")).toBe("🚀");
  expect(first(german, "Rakete")).toBe("🚀");
  expect(first(german, "daumen hoch")).toBe("👍");
  expect(first(english, "👍")).toBe("👍");
  expect(foundEmoji(english, "no such thing")).toEqual([]);
  expect(foundEmoji(english, " ")).toEqual([]);
});

test("a name that begins so comes first, then a word of a name, then the words that one may also search by", () => {
  const found = (list: typeof english, query: string) => foundEmoji(list, query).map(({ emoji }) => emoji);
  for (const query of ["party", ":party"])
    expect(found(english, query).slice(0, 3)).toEqual(["🥳", "🎉", "😛"]);
  expect(found(german, "party")[0]).toBe("🥳");
  const ice = foundEmoji(english, "ice").map(({ name }) => name);
  expect(ice[0]).toBe("ice");
  expect(ice.indexOf("ice cream")).toBeLessThan(ice.indexOf("shaved ice"));
  expect(ice.indexOf("shaved ice")).toBeLessThan(ice.findIndex((name) => !/\bice/i.test(name)));
});

test("they are found in a browser that speaks Turkish, whose small i of a capital one has no dot", () => {
  const { toLocaleLowerCase } = String.prototype;
  String.prototype.toLocaleLowerCase = function (this: string, locale = "tr") {
    return toLocaleLowerCase.call(this, locale);
  };
  try {
    expect("ITALY".toLocaleLowerCase()).not.toBe("italy");
    expect(first(english, "italy")).toBe("🇮🇹");
    expect(first(english, "ITALY")).toBe("🇮🇹");
    expect(first(german, "Indien")).toBe("🇮🇳");
  } finally {
    String.prototype.toLocaleLowerCase = toLocaleLowerCase;
  }
});

test("skin tones", () => {
  const [thumb] = foundEmoji(english, "thumbsup", 1);
  const [rocket] = foundEmoji(english, "rocket", 1);
  const [hands] = foundEmoji(english, "people_holding_hands", 1);
  if (!thumb || !rocket || !hands) throw new Error("they are in the list");
  expect(inTone(thumb, 0)).toBe("👍");
  expect(inTone(thumb, 3)).toBe("👍🏽");
  expect(inTone(rocket, 3)).toBe("🚀");
  expect(inTone(hands, 5)).toBe("🧑🏿‍🤝‍🧑🏿");
});
