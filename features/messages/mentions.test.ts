// Finding the addresses in a text: by name, by id, never inside code, and in one pass whatever the text.
import { describe, expect, test } from "bun:test";
import { findAddresses, nameCandidates } from "./mentions.ts";
import { RoleNames } from "./role-names.ts";

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
    const meant = (rest: string) => new RoleNames(roles).longest(rest)?.name;
    expect(meant("mod")).toBe("Mod");
    expect(meant("MOD SQUAD, hello")).toBe("Mod Squad");
    expect(meant("mod squadron")).toBe("Mod");
    expect(meant("moderator")).toBeUndefined();
    expect(meant("küche!")).toBe("Küche");
    expect(meant("küchen")).toBeUndefined();
    expect(meant("r&d")).toBe("R&D");
    expect(meant("")).toBeUndefined();
  });

  test("for any roles and text it is the one that looking at each role by itself finds", () => {
    const random = randomFrom(7);
    const piece = () =>
      ["a", "A", "ab", "B", " ", "ß", "İ", "i\u0307", "Σ", "_", "1", "😀"][random(12)] ?? "";
    const words = (most: number) => Array.from({ length: 1 + random(most) }, piece).join("");
    for (let round = 0; round < 3000; round++) {
      const roles = Array.from({ length: random(12) }, (_, id) => ({ id, name: words(4) }));
      const names = new RoleNames(roles);
      for (let k = 0; k < 4; k++) {
        const text = words(8);
        expect([text, roles, names.longest(text)]).toEqual([text, roles, oneByOne(text, roles)]);
      }
    }
  });

  test("each role's name is read once for all texts, and a text is compared with few of them", () => {
    let reads = 0;
    const roles = Array.from({ length: 250 }, (_, i) => ({
      get name() {
        reads++;
        return `${"r".repeat(90)}${i}`;
      },
    }));
    const names = new RoleNames(roles);
    for (let i = 0; i < 200; i++) names.longest(`${"r".repeat(90)}x${i}`);
    expect(reads).toBe(250);
  });
});

/** What RoleNames returns, found the slow way. */
function oneByOne<R extends { name: string }>(rest: string, roles: readonly R[]): R | undefined {
  const text = rest.toLowerCase();
  let best: R | undefined;
  for (const role of roles) {
    const name = role.name.toLowerCase();
    const fits = text.startsWith(name) && !/^[\p{L}\p{N}_]/u.test(text.slice(name.length, name.length + 2));
    if (fits && role.name.length > (best?.name.length ?? 0)) best = role;
  }
  return best;
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}
