// People and roles mentioned in a text, as the server counts them: the same parser as the page's, which shows them.
import { describe, expect, test } from "bun:test";
import { askedIn, callsIn } from "./mentions.ts";
import { parse, parseCounted } from "./text/parse.ts";

const id = "01890000-0000-7000-8000-000000000000";
const names = {
  people: new Map([
    ...["ann", "bob", "alice", "ann_", "bob.smith", "bob..smith"].map((name) => [name, name] as const),
    ["carol", id],
  ]),
  roles: new Map([
    ["mods", "role mods"],
    ["mods of the north", "role north"],
    ["bob squad", "role squad"],
    ["küche", "role kitchen"],
    ["टीम", "role team"],
    ["r&d", "role lab"],
  ]),
  channels: new Map<string, string>(),
  everyone: true,
};
const called = (text: string, known = names) =>
  [...callsIn(text, known)].map((call) => (call.what === "everyone" ? "everyone" : call.id));
/** Without Ann's sister, whose name ends in an underscore, like italics. */
const withoutSister = { ...names, people: new Map([...names.people].filter(([name]) => name !== "ann_")) };

describe("a text calls", () => {
  const texts: readonly [string, string[]][] = [
    ["no one", []],
    ["@bob", ["bob"]],
    ["(@bob)", ["bob"]],
    ["@bob, @alice!", ["bob", "alice"]],
    ["@BOB", ["bob"]],
    ["@bob@alice", ["bob"]],
    ["@bob/@alice", ["bob", "alice"]],
    ["x_@bob", []],
    ["x@bob", []],
    ["**@bob**", ["bob"]],
    ["🐸@bob", ["bob"]],
    ["你好@bob", ["bob"]],
    ["\n@bob", ["bob"]],
    ["<@bob>", ["bob"]],
    [`<@${id}>`, [id]],
    [`<@${id.toUpperCase()}>`, [id]],
    ["||@bob||", ["bob"]],
    ["> @bob", ["bob"]],
    ["- @bob", ["bob"]],
    ["# @bob", ["bob"]],
    ["    @bob", ["bob"]],
    ["[@bob](https://a.example)", ["bob"]],
    // Punctuation that ends a sentence ends the name.
    ["Dinner is ready, @everyone.", ["everyone"]],
    ["@everyone... please", ["everyone"]],
    ["@everyone.... please", ["everyone"]],
    ["@everyone- now", ["everyone"]],
    ["@everyone...now please", ["everyone"]],
    ["@everyone--dinner", ["everyone"]],
    ["@ann...you there?", ["ann"]],
    ["@bob.smith...you there?", ["bob.smith"]],
    ["@ann-.-bob", ["ann"]],
    ["@bob..smith...you there?", ["bob..smith"]],
    ["@bob..smith...", ["bob..smith"]],
    ["@bob..you there?", ["bob"]],
    // A letter behind a name makes it another word; those without case need no space.
    ["@anné", []],
    ["@everyoneä", []],
    ["@anne\u0301", []],
    ["@ann你好", ["ann"]],
    ["@everyone: now", ["everyone"]],
    ["@EveryOne!", ["everyone"]],
    ["@everyone_else", []],
    ["@everyones", []],
    ["_@everyone_", ["everyone"]],
    ["@bob.", ["bob"]],
    ["@bob......", ["bob"]],
    ["@bob.smith.", ["bob.smith"]],
    ["@bob-", ["bob"]],
    ["@bob-smith", []],
    // A URL never mentions anybody.
    ["https://social.example/@ann", []],
    ["https://tube.example/@everyone/videos", []],
    ["HTTPS://social.example/@ann.", []],
    ["www.social.example/@ann", []],
    ["http://[2001:db8::1]/@ann", []],
    ["https://例え.example/@ann", []],
    ["social.example/@ann", []],
    ["see social.example/people/@ann", []],
    ["[her page](https://social.example/@ann)", []],
    ["[her page](<https://social.example/@ann>)", []],
    ['[her page](https://social.example "@ann")', []],
    ["![@ann](https://social.example/a.png)", []],
    ["<https://social.example/@ann>", []],
    ["mailto:x@ann", []],
    ["bob@example.org", []],
    ["<bob@ann.example>", []],
    ["josé@ann", []],
    ["@ann@social.example", []],
    ["@ann:social.example", []],
    ["@ann: see social.example", ["ann"]],
    ["social.example:8080/@ann", []],
    ["localhost/@ann", []],
    ["http is at localhost:3000/@ann", []],
    ["127.0.0.1:3000/@ann", []],
    ["host.xn--p1ai/@ann", []],
    ["social.example./@ann", []],
    ["social.example?u=/@ann", []],
    ["social.example#/@ann", []],
    ["nas:8080/@ann", []],
    ["nas2:8080/@ann", []],
    ["[::1]:8080/@ann", []],
    ["steam://friends/@ann", []],
    ["file:///home/@ann", []],
    ["https://@ann", []],
    ["at 10:30/@ann", ["ann"]],
    ["24.12.2025/@ann", ["ann"]],
    ["10.30h/@ann", ["ann"]],
    ["A:3/@ann", ["ann"]],
    ["she said: yes/@ann", ["ann"]],
    ["@ann/parts", ["ann"]],
    ["@ann/@bob", ["ann", "bob"]],
    ["@ann / @bob", ["ann", "bob"]],
    ["@ann/", ["ann"]],
    ["https://social.example/a。@ann", ["ann"]],
    // Code never mentions anybody.
    ["`@bob`", []],
    ["`@bob` @alice", ["alice"]],
    ["``a ` @bob `` @alice", ["alice"]],
    ["`<@&x>` `@everyone`", []],
    ["` @bob", ["bob"]],
    ["``` @bob `` @alice", ["bob", "alice"]],
    ["```\n@bob\n```\n@alice", ["alice"]],
    ["```\n@ann", []],
    ["```js\r\n@ann", []],
    ["~~~\n@ann\n```\n@ann", []],
    ["> ```\n> @ann\n\n@bob", ["bob"]],
    ["- ```\n  @ann", []],
    ["\\@bob", []],
    ["_@ann", ["ann"]],
    // Roles: by their whole name, and the longest one wins.
    ["@mods", ["role mods"]],
    ["@Mods of the North!", ["role north"]],
    ["@mods of the northern lights", ["role mods"]],
    ["@moderators", []],
    ["@Küche!", ["role kitchen"]],
    ["@küchen", []],
    ["_@Küche_", ["role kitchen"]],
    ["__@Küche__", ["role kitchen"]],
    ["_hello @Küche_", ["role kitchen"]],
    ["@Küche_", ["role kitchen"]],
    ["@Küche_n", []],
    ["@टीम", ["role team"]],
    ["@टीमें", []],
    ["@R&D", ["role lab"]],
    ["@bob squad", ["role squad"]],
    ["@bob squadron", ["bob"]],
  ];
  for (const [text, expected] of texts) {
    test(`${JSON.stringify(text)}: ${expected.join(", ") || "nobody"}`, () => {
      expect(called(text)).toEqual(expected);
      // The people mentioned are among those looked up.
      const asked = askedIn(text);
      const people = expected.filter((each) => each !== "everyone" && !each.startsWith("role "));
      expect(people.filter((each) => ![...asked.names, ...asked.ids].includes(each))).toEqual([]);
    });
  }

  test("italics around a name are no part of it, unless somebody is called so", () => {
    for (const text of ["_@ann_", "__@ann__", "x _@ann_ y", "*_@ann_*"])
      expect([text, called(text, withoutSister)]).toEqual([text, ["ann"]]);
    expect(called("_@ann_")).toEqual(["ann_"]);
  });
});

describe("a text that is not taken apart, as it has words alone, calls whom its parts call", () => {
  const words =
    "@|@|@ann|@ann|@bob|@everyone|@mods|@bob squad|ann|mods| of the north| squad| | | | | | |.|-|+|+ |- |1. |(|)|!|,|:|/|&|é|你|🐸|İ|ς|mailto:|.example|www.a|https://a".split(
      "|",
    );
  const marks = ["`", "` ", " `", "*", "_", "_ ", "~~", "<", ">", "[", "](", "||", "#", "\\", "\n", "\t"];

  function callsOfParts(part: unknown): string[] {
    if (typeof part !== "object" || part === null) return [];
    if ("kind" in part && part.kind === "call" && "id" in part) return [String(part.id) || "everyone"];
    return Object.values(part).flatMap(callsOfParts);
  }

  test("whatever stands beside them", () => {
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let calls = 0;
    for (let round = 0; round < 6000; round++) {
      const pieces = round % 2 === 0 ? words : [...words, ...marks];
      const text = Array.from({ length: 1 + next(16) }, () => pieces[next(pieces.length)] ?? "").join("");
      const those = callsOfParts(parse(text, names));
      expect([text, called(text)]).toEqual([text, those]);
      calls += those.length;
    }
    expect(calls).toBeGreaterThan(2000);
  });

  test("however many there are", () => {
    for (const count of [7, 8, 9, 10, 199, 200, 201, 202]) {
      const text = Array.from({ length: count }, () => "@ann").join(" ");
      expect([count, called(text)]).toEqual([count, callsOfParts(parse(text, names))]);
    }
  });
});

test("texts that were made to be slow cost a few steps for each letter, and ask for 800 names at most", () => {
  const hostile = [
    "@".repeat(4000),
    "` ".repeat(2000),
    "<@".repeat(2000),
    `<@${"a-".repeat(2000)}`,
    "@a.".repeat(1333),
    "_@".repeat(2000),
    `${"_".repeat(3990)}@ann`,
    "a.bc/@".repeat(666),
    `@${"._-".repeat(1333)}`,
    Array.from({ length: 820 }, (_, i) => `@${i}`).join(" "),
  ];
  for (const text of hostile) {
    const { steps } = parseCounted(text, names);
    expect([text.slice(0, 20), steps / text.length <= 20]).toEqual([text.slice(0, 20), true]);
    expect(askedIn(text).names.length).toBeLessThanOrEqual(800);
  }
  expect(askedIn(hostile.at(-1) ?? "").names).toEqual(Array.from({ length: 800 }, (_, i) => `${i}`));
});
