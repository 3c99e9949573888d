// Parsing takes time linear in the length of the text, even for hostile input.
import { expect, test } from "bun:test";
import { hostileNames, hostileTexts } from "../../../tools/hostile-texts.ts";
import { parse, parseCounted } from "./parse.ts";
import { Steps } from "./steps.ts";
import type { Block } from "./tree.ts";

/** Counts the letters that regular expressions scan and that are lower-cased while `run` executes. */
function lettersLookedAt(run: () => void): number {
  const { exec } = RegExp.prototype;
  const { toLowerCase } = String.prototype;
  let looked = 0;
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    if (found) looked += found.index + found[0].length - from;
    else if (!this.sticky) looked += text.length - from;
    return found;
  };
  String.prototype.toLowerCase = function () {
    looked += this.length;
    return toLowerCase.call(this);
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
    String.prototype.toLowerCase = toLowerCase;
  }
  return looked;
}

function isAsTyped(blocks: readonly Block[], text: string): boolean {
  const [first, ...others] = blocks;
  return others.length === 0 && first?.kind === "paragraph" && first.children[0] === text.trimEnd();
}

const names = { ...hostileNames(), everyone: true };
const length = 1000;

test("a text of twice the length costs at most 2.5 times the steps, and twenty a letter", () => {
  const worse: { text: string; times: number; aLetter: number }[] = [];
  const longer = hostileTexts(2 * length, { mixtures: 1500 });
  for (const text of hostileTexts(length, { mixtures: 1500 })) {
    const twice: string = longer.next().value ?? "";
    const { steps } = parseCounted(twice, names);
    const times = steps / parseCounted(text, names).steps;
    const aLetter = steps / twice.length;
    if (times > 2.5 || aLetter > 20) worse.push({ text: twice.slice(0, 60), times, aLetter });
  }
  expect(worse).toEqual([]);
});

test("in a text of twice the length no letter is looked at more often, whatever the steps say", () => {
  const worse: { text: string; times: number }[] = [];
  const longer = hostileTexts(2 * length, { mixtures: 200 });
  for (const text of hostileTexts(length, { mixtures: 200 })) {
    const twice: string = longer.next().value ?? "";
    const looked = lettersLookedAt(() => parse(twice, names));
    // With this few letters the cost is small, and a few more may change the ratio.
    if (looked < 20 * twice.length) continue;
    const times = looked / lettersLookedAt(() => parse(text, names));
    if (times > 2.5) worse.push({ text: twice.slice(0, 60), times });
  }
  expect(worse).toEqual([]);
});

/** The shortest of many parses, in microseconds of processor time: other load only makes them longer. */
function leastOf(text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 25; i++) {
    const before = process.cpuUsage();
    parse(text, names);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

test("a host of many ports takes the time of its length: going back within a pattern counts as no letter", () => {
  for (const piece of [":1字", ":1𠀀", ".aa字", ":1字.aa"]) {
    const grown = (length: number) => `http://a${piece.repeat(length / piece.length)}@`;
    // Linear growth is a factor of 4, quadratic one of 16. Anything within half a millisecond is cheap.
    expect([piece, leastOf(grown(16_000)) < 9 * Math.max(500, leastOf(grown(4000)))]).toEqual([piece, true]);
  }
});

test("names that many others begin with cost their length, and a text is put in small letters once", () => {
  const alike = (mark: string) =>
    new Map(Array.from({ length: 33 }, (_, i) => [`${`字字${mark}`.repeat(i)}字`, `${i}`] as const));
  const long = { ...names, roles: alike("@"), channels: alike("#") };
  for (const mark of "#@") {
    const text = `${mark}字字`.repeat(199);
    let steps = 0;
    const looked = lettersLookedAt(() => {
      ({ steps } = parseCounted(text, long));
    });
    expect(steps).toBeGreaterThan(25 * text.length);
    expect(looked).toBeLessThan(20 * text.length);
    expect(parse(`${mark}字字${mark}字 b`, long)[0]).toMatchObject({
      children: [{ kind: "call", id: "1" }, " b"],
    });
  }
});

test("what costs more than a text is worth is shown as it was typed", () => {
  const text = `${"**bold** ".repeat(400)}\n- end`;
  const { blocks } = parseCounted(text, names, new Steps(0));
  expect(blocks).toEqual([{ kind: "paragraph", children: [text] }]);
});

test("what would be thousands of elements of the page is shown as it was typed", () => {
  const lines = ["- - - a\n", "```\na\n```\n", "> a\n\n", "* a\n  * b\n"];
  for (const piece of [...lines, "www.a.example ", "`a` ", "#general ", "@everyone "]) {
    const text = piece.repeat(4000 / piece.length).trimEnd();
    const steps = new Steps(text.length);
    const { blocks } = parseCounted(text, names, steps);
    expect(blocks).toEqual([{ kind: "paragraph", children: [text] }]);
    // Parsing stops where the result will not be drawn.
    expect(steps.parts).toBeLessThan(650);
  }
});

test("links within links, and marks in the name of a picture, count as what they are drawn as", () => {
  const links = Array.from({ length: 110 }, (_, i) => `- [https://a.example/${i}](https://a.example/${i})`);
  const code = "`a` ".repeat(400);
  const picture = `![${code}](https://a.example/a) ${code}`;
  expect(parse(links.join("\n"), names)).toMatchObject([{ kind: "list" }]);
  expect(parse(picture, names)[0]).toMatchObject({
    children: expect.arrayContaining([{ kind: "code", text: "a" }]),
  });
});

test("what people write at great length keeps its looks", () => {
  const list = Array.from({ length: 290 }, (_, i) => `- thing* ${i}`).join("\n");
  const links = Array.from({ length: 100 }, (_, i) => `See https://a.example/${i}.`).join("\n");
  const called = parse("@ann ".repeat(190), names)[0];
  expect(parse(list, names)).toMatchObject([{ kind: "list" }]);
  expect(parse(links, names)[0]).toMatchObject({ children: expect.arrayContaining([{ kind: "break" }]) });
  expect(called).toMatchObject({
    children: expect.arrayContaining([expect.objectContaining({ kind: "call" })]),
  });
});

test("a text with more names of hosts than are worth being translated is shown as it was typed", () => {
  const host = (length: number) =>
    Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + 331 * i)).join("");
  const isTyped = (piece: string) => {
    const text = piece.repeat(4000 / piece.length).trimEnd();
    return isAsTyped(parse(text, names), text);
  };
  const dear = [
    "http://H ",
    "www.H ",
    "[a](http://H) ",
    "<http://u@H> ",
    "[a](http:////H) ",
    "http://a.H:80/b ",
  ];
  for (const piece of dear) expect([piece, isTyped(piece.replace("H", host(59)))]).toEqual([piece, true]);
  expect(isTyped(`[a](http://${encodeURIComponent(host(20))}.${encodeURIComponent(host(30))})`)).toBe(false);
  // One letter expands to eighteen.
  expect(isTyped("*a* http://\ufdfa\ufdfa ")).toBe(true);
  for (const piece of [`http://${host(20)}.example/${"a".repeat(80)} `, `https://a.example/${host(59)} `])
    expect([piece, isTyped(piece)]).toEqual([piece, false]);
});
