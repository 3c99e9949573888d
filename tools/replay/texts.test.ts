// Turning IRC lines into the messages to post.

import { expect, test } from "bun:test";
import { nickFinder, textFor } from "./texts.ts";

const usernames = new Map([
  ["evi|one", "evi_one"],
  ["M1dn1ght", "M1dn1ght"],
  ["m1dn1ght", "m1dn1ght-2"],
]);
const findNick = nickFinder(usernames.keys());
const post = (said: string) => textFor(said, usernames, findNick);

test("a known name at the start becomes a mention by username", () => {
  expect(post("evi|one: try again")).toEqual({ parts: ["@evi_one try again"], addressed: "evi|one" });
  expect(post("evi|one, try again")).toEqual({ parts: ["@evi_one try again"], addressed: "evi|one" });
  expect(post("evi|one:")).toEqual({ parts: ["@evi_one"], addressed: "evi|one" });
});

test("case is ignored unless two nicks differ only by it", () => {
  expect(post("EVI|ONE: hi").addressed).toBe("evi|one");
  expect(post("m1dn1ght: hi").parts).toEqual(["@m1dn1ght-2 hi"]);
});

test("unknown names, links and names in the middle stay as they are", () => {
  for (const said of ["nobody: hi", "http://evi|one", "evi|one:hi", "ask evi|one: he knows", "hm, evi|one"]) {
    expect(post(said)).toEqual({ parts: [said], addressed: undefined });
  }
});

test("a text over the limit is posted in parts, counted in code points, and nothing of it is lost", () => {
  const long = "😀".repeat(9_001);
  const { parts } = post(long);
  expect(parts.map((part) => [...part].length)).toEqual([4_000, 4_000, 1_001]);
  expect(parts.join("")).toBe(long);
});

test("what no server may store is replaced where it can be seen", () => {
  expect(post("a\0b\ud800c").parts).toEqual(["a\uFFFDb\uFFFDc"]);
});
