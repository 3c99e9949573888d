// The letters of servers: initials of two words, without articles; of one word its first two letters.
import { expect, test } from "bun:test";
import { initials } from "./initials.ts";

test.each([
  ["Theta Friends", "TF"],
  ["Choir", "CH"],
  ["The Allotment", "AL"],
  ["the house of an old friend", "HO"],
  ["Der Garten am See", "GA"],
  ["The The", "TH"],
  ["  night   garden ", "NG"],
  ["🌙 Night watch", "🌙N"],
  ["👩‍🚒", "👩‍🚒"],
  ["é", "É"],
])("%p has the letters %p", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
