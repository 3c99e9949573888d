// The text of the composer: completion, continued lists, pasting, and matching of names.
import { describe, expect, test } from "bun:test";
import type { Upload } from "../../../../client/uploads.ts";
import { lengthOf, obstacleOf } from "../drafting/sending.ts";
import { brokenLine } from "./lists.ts";
import { fitting } from "./matching.ts";
import { pastedText } from "./paste.ts";
import { shortCodeAt } from "./short-code.ts";
import { isInCode, tokenAt } from "./tokens.ts";

/** The bar marks the caret. */
function token(marked: string) {
  const caret = marked.indexOf("|");
  const found = tokenAt(marked.replace("|", ""), caret);
  return found && `${found.sign}${found.query}`;
}

describe("what is being completed", () => {
  test("a word that begins with a sign, up to the caret", () => {
    expect(token("@al|")).toBe("@al");
    expect(token("hello @al|ice")).toBe("@al");
    expect(token("see #|")).toBe("#");
    expect(token("(@bob|")).toBe("@bob");
    expect(token("/rem|")).toBe("/rem");
    expect(token("so :smi|")).toBe(":smi");
    expect(token("Grüße :kü|")).toBe(":kü");
  });
  test("nothing in addresses, times, faces, code, and no command in the middle", () => {
    for (const text of [
      "mail bob@ho|",
      "https://a|",
      "10:30|",
      ":)|",
      ":a|",
      "and /rem|",
      "`@al|",
      "```\n@al|",
      "@al ice|",
    ])
      expect([text, token(text)]).toEqual([text, undefined]);
    expect(token("`x` @al|")).toBe("@al");
    expect(token("```\nx\n```\n@al|")).toBe("@al");
  });
  test("a short code that was typed in full", () => {
    expect(shortCodeAt("hi :smile:", 10)).toEqual({ code: "smile", start: 3, end: 10 });
    expect(shortCodeAt("at 10:30:", 9)).toBeUndefined();
    expect(shortCodeAt("`:smile:", 8)).toBeUndefined();
    expect(isInCode("a ``` b")).toBe(false);
  });
});

describe("breaking a line", () => {
  const broken = (marked: string) => {
    const caret = marked.indexOf("|");
    const text = marked.replace("|", "");
    const { start, end, text: put } = brokenLine(text, caret);
    return `${text.slice(0, start)}${put}|${text.slice(end)}`;
  };
  test("lists and quotations go on", () => {
    expect(broken("plain|")).toBe("plain\n|");
    expect(broken("- one|")).toBe("- one\n- |");
    expect(broken("  * one|")).toBe("  * one\n  * |");
    expect(broken("9. nine|")).toBe("9. nine\n10. |");
    expect(broken("1) a|b")).toBe("1) a\n2) |b");
    expect(broken("- [x] done|")).toBe("- [x] done\n- [ ] |");
    expect(broken("> so|")).toBe("> so\n> |");
    expect(broken("first\n- two|")).toBe("first\n- two\n- |");
  });
  test("an empty point ends the list", () => {
    expect(broken("- one\n- |")).toBe("- one\n|");
    expect(broken("2. |")).toBe("|");
    expect(broken("- one\n- |\nafter")).toBe("- one\n|\nafter");
  });
  test("what only looks like one does not", () => {
    expect(broken("-one|")).toBe("-one\n|");
    expect(broken("2017 was|")).toBe("2017 was\n|");
    expect(broken("|- one")).toBe("\n|- one");
  });
});

describe("a paste", () => {
  const nothing = { plain: "", html: "", editor: "" };
  test("an address over a selection becomes a link", () => {
    const paste = { ...nothing, plain: "https://en.wikipedia.org/wiki/Owl_(bird)" };
    expect(pastedText(paste, "see owls", 4, 8)).toBe("[owls](https://en.wikipedia.org/wiki/Owl_%28bird%29)");
    expect(pastedText(paste, "see owls", 4, 4)).toBeUndefined();
    expect(pastedText(paste, "see https://a.example", 4, 21)).toBeUndefined();
    expect(pastedText({ ...nothing, plain: "javascript:alert(1)" }, "see owls", 4, 8)).toBeUndefined();
  });
  test("of a page only its beginning is looked at, however many tags nothing closes", () => {
    const html = "<div ".repeat(40_000);
    const before = process.cpuUsage();
    expect(pastedText({ ...nothing, plain: "a\nb", html }, "", 0, 0)).toBeUndefined();
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
  test("code gets a fence, with the language where the editor says it", () => {
    const plain = "if (a) {\n  b();\n}\n";
    expect(pastedText({ ...nothing, plain, editor: '{"mode":"typescript"}' }, "", 0, 0)).toBe(
      "```typescript\nif (a) {\n  b();\n}\n```",
    );
    expect(
      pastedText({ ...nothing, plain, html: "<meta charset='utf-8'><pre>if</pre>" }, "so: x", 4, 4),
    ).toBe("\n```\nif (a) {\n  b();\n}\n```\n");
    expect(pastedText({ ...nothing, plain, html: "<p>if</p>" }, "", 0, 0)).toBeUndefined();
    expect(pastedText({ ...nothing, plain: "one();", editor: "{}" }, "", 0, 0)).toBeUndefined();
    expect(pastedText({ ...nothing, plain, editor: "{}" }, "```\n", 4, 4)).toBeUndefined();
  });
});

test("names that begin with what is typed come before those of which a word does, and both before the rest", () => {
  const names = ["Anna Zoé", "zoe", "Ozzy", "max_zoellner", "kazoe", "Zoë"];
  expect(fitting(names, "zoe", (name) => [name], 8)).toEqual([
    "zoe",
    "Zoë",
    "Anna Zoé",
    "max_zoellner",
    "kazoe",
  ]);
  expect(fitting(names, "", (name) => [name], 2)).toEqual(["Anna Zoé", "zoe"]);
});

test("a message is sent unless it is empty, too long as the server counts, or a file of it did not get through", () => {
  const files = (...states: string[]) => states.map((is) => ({ state: { is } })) as unknown as Upload[];
  expect([lengthOf("  🦉🦉 \n"), lengthOf("")]).toEqual([2, 0]);
  expect(obstacleOf("🦉".repeat(5), [], 5)).toBeUndefined();
  expect(obstacleOf(`  ${"🦉".repeat(6)}`, [], 5)).toBe("too long");
  expect(obstacleOf(" \n ", [], 5)).toBe("empty");
  expect(obstacleOf("", files("waiting", "sending", "done"), 5)).toBeUndefined();
  for (const is of ["refused", "failed"]) expect(obstacleOf("so", files("done", is), 5)).toBe("files");
});
