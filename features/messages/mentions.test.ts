// Finding who a text addresses: by name, by id, never inside code, and in one pass whatever the text.
import { describe, expect, test } from "bun:test";
import { findAddresses, longestRole, nameCandidates } from "./mentions.ts";

const id = "01890000-0000-7000-8000-000000000000";
const names = (text: string) =>
  findAddresses(text).map((each) =>
    "name" in each ? each.name : "id" in each ? `${each.kind} ${each.id}` : each.kind,
  );

describe("addresses in a text", () => {
  const texts: [string, string[]][] = [
    ["no one", []],
    ["@bob", ["bob"]],
    ["(@bob)", ["bob"]],
    ["@bob, @alice!", ["bob", "alice"]],
    ["@bob@alice", ["bob"]],
    ["bob@example.org", []],
    ["x_@bob", []],
    ["@everyone", ["everyone"]],
    ["@EveryOne!", ["everyone"]],
    ["@everyone_else", ["everyone_else"]],
    [`<@${id}>`, [`user-id ${id}`]],
    [`<@${id.toUpperCase()}><@&${id}>`, [`user-id ${id}`, `role-id ${id}`]],
    ["<@bob>", ["bob"]],
    ["`@bob`", []],
    ["`@bob` @alice", ["alice"]],
    ["``a ` @bob `` @alice", ["alice"]],
    ["```\n@bob\n``` @alice", ["alice"]],
    ["` @bob", ["bob"]],
    ["``` @bob `` @alice", ["bob", "alice"]],
    ["`<@&x>` `@everyone`", []],
    ["**@bob**", ["bob"]],
    ["🐸@bob", ["bob"]],
    ["\n@bob", ["bob"]],
  ];
  for (const [text, expected] of texts) {
    test(`${JSON.stringify(text)} addresses ${expected.join(", ") || "nobody"}`, () => {
      expect(names(text)).toEqual(expected);
    });
  }

  test("a run longer than any username, an unclosed id among them, is nobody's name", () => {
    for (const run of ["a".repeat(33), "a".repeat(100), id, `${"a".repeat(33)}...`]) {
      const [address] = findAddresses(`<@${run}`);
      expect([run, address?.kind === "name" ? nameCandidates(address.name) : []]).toEqual([run, []]);
    }
    expect(nameCandidates("a".repeat(32))).toEqual(["a".repeat(32)]);
  });

  test("texts that were made to be slow are not: each is read in a moment", () => {
    const hostile = [
      "@".repeat(4000),
      "`".repeat(4000),
      "` ".repeat(2000),
      Array.from({ length: 88 }, (_, i) => "`".repeat(i + 1)).join(" "),
      "<@".repeat(2000),
      `<@${"a-".repeat(2000)}`,
      "@a.".repeat(1333),
      `@${"._-".repeat(1333)}`,
    ];
    const started = performance.now();
    for (const text of hostile) expect(Array.isArray(findAddresses(text))).toBe(true);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("the name that is meant", () => {
  test("punctuation at the end may belong to the sentence, the longest reading comes first", () => {
    expect(nameCandidates("bob...")).toEqual(["bob...", "bob..", "bob.", "bob"]);
    expect(nameCandidates("bob-smith")).toEqual(["bob-smith"]);
    expect(nameCandidates("b.")).toEqual(["b."]);
    expect(nameCandidates("b")).toEqual([]);
    expect(nameCandidates("")).toEqual([]);
  });

  test("a role is meant by its whole name, the longest one, whatever the case", () => {
    const roles = [{ name: "Mod" }, { name: "Mod Squad" }, { name: "Küche" }, { name: "R&D" }];
    const meant = (rest: string) => longestRole(rest, roles)?.name;
    expect(meant("mod")).toBe("Mod");
    expect(meant("MOD SQUAD, hello")).toBe("Mod Squad");
    expect(meant("mod squadron")).toBe("Mod");
    expect(meant("moderator")).toBeUndefined();
    expect(meant("küche!")).toBe("Küche");
    expect(meant("küchen")).toBeUndefined();
    expect(meant("r&d")).toBe("R&D");
    expect(meant("")).toBeUndefined();
  });
});
