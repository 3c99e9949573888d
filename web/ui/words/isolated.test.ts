// Names in sentences: right-to-left ones are isolated, all others stay as they are.
import { describe, expect, test } from "bun:test";
import { isolating } from "./isolated.ts";

const words = isolating({
  plain: "Kick",
  keys: ["a", "b"],
  parts: { kick: (name: string, server: string) => `Kick ${name} from ${server}?` },
  typing: (names: readonly string[]) => `${names.join(" and ")} are typing`,
  ends: (name: string) => `Message #${name}`,
  count: (count: number) => `${count} of them`,
});

describe("words", () => {
  test("isolate names that run from right to left, one by one", () => {
    expect(words.parts.kick("דנה", "(مطبخ) 12")).toBe("Kick \u2068דנה\u2069 from \u2068(مطبخ) 12\u2069?");
    expect(words.typing(["Bob", "דנה"])).toBe("Bob and \u2068דנה\u2069 are typing");
  });

  test("isolate no name that nothing comes after", () => {
    expect(words.ends("דנה")).toBe("Message #דנה");
  });

  test("leave all others alone, and what is no sentence", () => {
    expect(words.parts.kick("Bob", "Küche 厨房")).toBe("Kick Bob from Küche 厨房?");
    expect(words.count(3)).toBe("3 of them");
    expect([words.plain, words.keys]).toEqual(["Kick", ["a", "b"]]);
  });
});
