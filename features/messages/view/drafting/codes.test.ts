// Short codes in messages that are sent.
import { describe, expect, test } from "bun:test";
import { processorMs } from "../../../../tests/house/machine/processor.ts";
import { spelledOut } from "./codes.ts";

const known = new Map([
  ["tada", "🎉"],
  ["+1", "👍"],
]);
const spelled = (text: string) => spelledOut(text, (code) => known.get(code));

describe("a short code that was typed whole", () => {
  test("becomes what it means, wherever a word may begin", () => {
    expect(spelled(":tada:")).toBe("🎉");
    expect(spelled("well done :tada: :+1:!")).toBe("well done 🎉 👍!");
    expect(spelled(":tada::tada:")).toBe("🎉🎉");
    expect(spelled("**:tada:** (:+1:)\n> :tada:\n- :tada:")).toBe("**🎉** (👍)\n> 🎉\n- 🎉");
  });

  test("stays text within code, open and closed, and behind a backslash", () => {
    for (const text of [
      "`:tada:`",
      "``a ` :tada:``",
      "```\n:tada:\n```",
      "```ts\n:tada:",
      "~~~\n:tada:\n~~~",
      "\\:tada:",
    ])
      expect(spelled(text)).toBe(text);
    expect(spelled("`:tada:` :tada: ```\n:tada:")).toBe("`:tada:` 🎉 ```\n🎉");
    expect(spelled("```\n:tada:\n```\n:tada:")).toBe("```\n:tada:\n```\n🎉");
    expect(spelled("a ` b :tada:")).toBe("a ` b 🎉");
    expect(spelled("\\\\ :tada:")).toBe("\\\\ 🎉");
  });

  test("is none in addresses, times, words, and where nothing is called so", () => {
    for (const text of [
      "https://a.example/:tada:",
      "10:30:45",
      "a:tada:b",
      ":nothing:",
      "::tada",
      "x?q=:tada:",
    ])
      expect(spelled(text)).toBe(text);
  });

  test("is found at once in the longest text of the worst kind", () => {
    const before = processorMs();
    for (const text of [
      "`".repeat(4000),
      "` ".repeat(2000),
      ":tada:".repeat(666),
      "```\n".repeat(1000),
      "`a".repeat(2000),
    ])
      spelled(text);
    expect(processorMs() - before).toBeLessThan(500);
  });
});
