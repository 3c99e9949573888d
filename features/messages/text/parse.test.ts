// Parsing messages: Markdown, mentions, nothing lost, and nothing slow.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { processorMs } from "../../../tests/house/machine/processor.ts";
import type { Names } from "./calls.ts";
import { parse } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

const names: Names = {
  people: new Map([
    ["bob", "id of Bob"],
    ["bob.smith", "id of Bob Smith"],
  ]),
  roles: new Map([
    ["helpers", "id of helpers"],
    ["night watch", "id of the watch"],
  ]),
  channels: new Map([
    ["general", "id of general"],
    ["big room", "id of the room"],
  ]),
  everyone: true,
};
const nobody: Names = { people: new Map(), roles: new Map(), channels: new Map(), everyone: false };

function paragraph(source: string, known = nobody): Inline[] {
  const [block, ...more] = parse(source, known);
  expect(more).toEqual([]);
  if (block?.kind !== "paragraph") throw new Error(`it is a ${block?.kind}`);
  return block.children;
}

/** Everything that a reader can see or open: texts, and the URLs of links. */
function seenIn(parts: readonly (Inline | Block)[]): string {
  return parts
    .map((part): string => {
      if (typeof part === "string") return part;
      if (part.kind === "list") return `${part.start ?? ""} ${part.items.map(seenIn).join("\n")}`;
      if (part.kind === "break") return "\n";
      if (part.kind === "code") return `${part.text} ${"language" in part ? part.language : ""}`;
      if (part.kind === "call") return part.text;
      const inside = seenIn(part.children);
      return part.kind === "link" ? `${inside} ${decoded(part.href)} ${part.title} ` : inside;
    })
    .join(parts.some((part) => typeof part !== "string" && isBlock(part)) ? "\n" : "");
}

function isBlock({ kind }: { kind: string }): boolean {
  return ["paragraph", "heading", "quote", "list"].includes(kind);
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

describe("what people write", () => {
  test("bold, italics, struck, code, spoilers, and what is inside of them", () => {
    expect(paragraph("**a** *b* ~~c~~ `d` ||e **f**||")).toEqual([
      { kind: "strong", children: ["a"] },
      " ",
      { kind: "emphasis", children: ["b"] },
      " ",
      { kind: "strike", children: ["c"] },
      " ",
      { kind: "code", text: "d" },
      " ",
      { kind: "spoiler", children: ["e ", { kind: "strong", children: ["f"] }] },
    ]);
  });

  test("line breaks stay, and so do underscores within words, single tildes and what looks like HTML", () => {
    expect(paragraph("snake_case_here\n~/one:~/two")).toEqual([
      "snake_case_here",
      { kind: "break" },
      "~/one:~/two",
    ]);
    expect(paragraph('<img src=x onerror="alert(1)"> &lt; <b>')).toEqual([
      '<img src=x onerror="alert(1)"> &lt; <b>',
    ]);
    expect(parse("one\n<div>\ntwo\n</div>", nobody)).toHaveLength(1);
  });

  test("the line below a quote is not part of it; a fence holds all that looks like something else", () => {
    expect(parse("> quoted\nanswer", nobody)).toEqual([
      { kind: "quote", children: [{ kind: "paragraph", children: ["quoted"] }] },
      { kind: "paragraph", children: ["answer"] },
    ]);
    expect(parse("```sh\n> no quote\n**no** @bob\n```", names)).toEqual([
      { kind: "code", language: "sh", text: "> no quote\n**no** @bob" },
    ]);
  });

  test("lists keep their first number; a mark alone is a mark", () => {
    expect(parse("7. seven\n8. eight", nobody)).toMatchObject([{ kind: "list", start: 7 }]);
    for (const alone of ["-", "*", "#", "1.", "---", ">_<"])
      expect(seenIn(parse(alone, nobody)).trim()).toBe(alone);
  });

  test("quotes in quotes in quotes end somewhere, and lists in lists", () => {
    expect(seenIn(parse(`${"> ".repeat(900)}deep`, nobody))).toContain("deep");
    expect(seenIn(parse(`${"- ".repeat(900)}deep`, nobody))).toContain("deep");
  });
});

/** A short notation of the parsed tree. */
function shape(part: Block | Inline): string {
  if (typeof part === "string") return part;
  const inside = "children" in part ? part.children.map(shape).join("") : "";
  switch (part.kind) {
    case "break":
      return "⏎";
    case "code":
      return `${"language" in part ? `block ${part.language}` : "code"}(${part.text})`;
    case "call":
      return `call(${part.text})`;
    case "link":
      return `link(${part.href}|${part.title}|${inside})`;
    case "list":
      return `list${part.start ?? ""}(${part.items.map((item) => item.map(shape).join("")).join("•")})`;
    default:
      return `${part.kind === "paragraph" ? "" : part.kind}(${inside})`;
  }
}

describe("each mark has its meaning, and only in its place:", () => {
  const address = "https://a.example/";
  const texts: readonly [text: string, shape: string][] = [
    ["***a***", "(emphasis(strong(a)))"],
    ["**a*b*c**", "(strong(aemphasis(b)c))"],
    ["**a** b**", "(strong(a) b**)"],
    ["a*b*c a_b_c", "(aemphasis(b)c a_b_c)"],
    ["*a**", "(emphasis(a)*)"],
    ["**a*", "(*emphasis(a))"],
    ["2 * 3 * 4", "(2 * 3 * 4)"],
    // More than sixteen levels of marks are plain text.
    [
      `${"**a ".repeat(20)}x${" a**".repeat(20)}`,
      `(${"strong(a ".repeat(16)}${"**a ".repeat(4)}x${" a**".repeat(4)}${" a)".repeat(16)})`,
    ],
    ["b ~~~a~~~ ~a~", "(b ~~~a~~~ ~a~)"],
    ["\\*a\\* a\\b", "(*a* a\\b)"],
    ["a\\\nb", "(a⏎b)"],
    ["a  \n   b\n", "(a⏎b)"],
    ["a\r\nb\rc\n\nd", "(a⏎b⏎c)(d)"],
    ["``a ` b`` `c", "(code(a ` b) `c)"],
    ["` a ` `  `", "(code(a) code(  ))"],
    ["|||a|| || ||", "(|spoiler(a) || ||)"],
    [`[a](${address} "t")`, `(link(${address}|t|a))`],
    [`[a](${address}b_(c) 'd \\' e')`, `(link(${address}b_(c)|d ' e|a))`],
    [`[a](<${address}(b>\n(c))`, `(link(${address}(b|c|a))`],
    [`[a](${address} b) [a] (b)`, `([a](link(${address}||${address}) b) [a] (b))`],
    [`[**a** b](${address})`, `(link(${address}||strong(a) b))`],
    [`[https://b.example](${address})`, `(link(${address}||https://b.example))`],
    [`![a *b*](${address})![](${address})`, `(link(${address}||a *b*)link(${address}||${address}))`],
    [`<${address}> <a@b.example>`, `(link(${address}||${address}) link(mailto:a@b.example||a@b.example))`],
    ["<javascript:alert(1)>", "(<javascript:alert(1)>)"],
    ["# a #", "heading(a)"],
    ["###### a#", "heading(a#)"],
    ["####### a", "(####### a)"],
    ["#a", "(#a)"],
    ["a\n# b\nc", "(a)heading(b)(c)"],
    ["```js\na\n```\nb", "block js(a)(b)"],
    ["````\n```\n````", "block (```)"],
    ["~~~\na\n```\n~~~", "block (a\n```)"],
    ["  ```\n  a\n   b\n  ```", "block (a\n b)"],
    ["``` a`b\nc", "(``` a`b⏎c)"],
    ["- a\n- b", "list((a)•(b))"],
    ["- a\n* b", "list((a))list((b))"],
    ["3) a\n4) b", "list3((a)•(b))"],
    ["123456789. a", "list123456789((a))"],
    ["1234567890. a", "(1234567890. a)"],
    ["a\n2. b", "(a⏎2. b)"],
    ["a\n1. b", "(a)list1((b))"],
    ["- a\n  - b\n- c", "list((a)list((b))•(c))"],
    ["- a\nb", "list((a⏎b))"],
    ["- a\n\n- b\n\nc", "list((a)•(b))(c)"],
    ["- [x] a\n- [ ] b\n- [x]c", "list((☑ a)•(☐ b)•([x]c))"],
    [`${"- ".repeat(9)}a`, `${"list(".repeat(8)}(- a)${")".repeat(8)}`],
    ["> a\n> b\n\nc", "quote((a⏎b))(c)"],
    [">a", "(>a)"],
    ["> > > > > a", "quote(quote(quote(quote((> a)))))"],
  ];
  for (const [text, expected] of texts)
    test(JSON.stringify(text), () => expect(parse(text, nobody).map(shape).join("")).toBe(expected));
});

describe("links", () => {
  test("lead to the web and to mailboxes, and nowhere else", () => {
    expect(paragraph("[a](https://example.org/x)")).toEqual([
      { kind: "link", href: "https://example.org/x", title: "", children: ["a"] },
    ]);
    const elsewhere = [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//host/x",
      "file:///etc/passwd",
    ];
    for (const address of elsewhere) {
      const parts = paragraph(`[a](${address})`);
      expect(parts.filter((part) => typeof part !== "string")).toEqual([]);
    }
  });

  test("bare addresses are links up to their end", () => {
    expect(paragraph("see https://a.example/b_c?d=e, or (www.b.example).")).toMatchObject([
      "see ",
      { kind: "link", href: "https://a.example/b_c?d=e" },
      ", or (",
      { kind: "link", href: "http://www.b.example/" },
      ").",
    ]);
  });
});

describe("calls", () => {
  test("people, roles, everyone and channels that are known, and no address of a mailbox", () => {
    const called = paragraph("@bob. @Bob.Smith @Night Watch! @everyone #big room #nowhere a@bob", names);
    expect(called.filter((part) => typeof part !== "string")).toEqual([
      { kind: "call", what: "person", id: "id of Bob", text: "@bob" },
      { kind: "call", what: "person", id: "id of Bob Smith", text: "@Bob.Smith" },
      { kind: "call", what: "role", id: "id of the watch", text: "@Night Watch" },
      { kind: "call", what: "everyone", id: "", text: "@everyone" },
      { kind: "call", what: "channel", id: "id of the room", text: "#big room" },
    ]);
    expect(called.filter((part) => typeof part === "string").join("")).toContain(" #nowhere a@bob");
  });

  test("those whom the server did not call are words", () => {
    expect(paragraph("@everyone @bob")).toEqual(["@everyone @bob"]);
  });

  test("by id, too", () => {
    const id = "01890000-0000-7000-8000-000000000000";
    expect(paragraph(`<@${id}>`, { ...nobody, people: new Map([["ann", id]]) })).toEqual([
      { kind: "call", what: "person", id, text: "@ann" },
    ]);
  });
});

describe("of any text", () => {
  const pieces = fc.constantFrom(
    ..."* ** _ __ ~~ ` ``` || > # - 1. [ ] ( ) ![ < > </ &amp; \\ \n \t @ @bob #general https://x.y/ : ! | ~ +".split(
      " ",
    ),
    "\n",
    "\n\n",
    " ",
    "    ",
    "a1",
    "b2",
    "Wort",
    "字",
    "🙂",
    '"t"',
  );

  test("no letter and no digit is lost", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (written) => {
        const source = written.join("");
        const seen = seenIn(parse(source, names)).toLowerCase();
        // Numbers of list items after the first are counted, not kept.
        for (const piece of source
          .replace(/^[\s>*+-]*(?:\d+[.)][\s>*+-]*)+/gm, "")
          .matchAll(/\p{L}[\p{L}\d]*/gu))
          expect(seen).toContain(piece[0].toLowerCase());
      }),
      { numRuns: 2000 },
    );
  });

  test("a mark without words takes nothing of what is around it with it", () => {
    for (const source of [
      "a\n#\nhello",
      "*\n#\nhello",
      "a\n-\n-\nhello",
      "> a\n> #\n> hello",
      "- a\n  #\n  hello",
    ])
      expect(seenIn(parse(source, names))).toContain("hello");
  });

  // Takes milliseconds when all is well: a second of processor time is a hanging page on any machine.
  test("4,000 characters of the worst kind do not hang the page", () => {
    const worst =
      "*a |[|](|`|_a*|> |**a_|[a](|<|\\|- |~~|~~a|@bob#|![|http://|a@b.|``a|* a\n|>a\n>>b\n|~~~\n|1. |_*|**|a**b|<!--|\n|(|[](|[a|#general".split(
        "|",
      );
    for (const piece of [...worst, "||", "|a", "||a"]) {
      const source = piece.repeat(Math.ceil(4000 / piece.length)).slice(0, 4000);
      const ms = Math.min(...[1, 2, 3].map(() => msOf(() => parse(source, names))));
      expect({ piece, hangs: ms >= 1000 }).toEqual({ piece, hangs: false });
    }
  });
});

function msOf(run: () => void): number {
  const from = processorMs();
  run();
  return processorMs() - from;
}

describe("where an address begins and ends", () => {
  /** A text, and its expected parts: a link by its URL. */
  const texts: readonly [string, readonly (string | { href: string })[]][] = [
    ["https://example.org/a。", [{ href: "https://example.org/a" }, "。"]],
    ["https://example.org/a、b", [{ href: "https://example.org/a" }, "、b"]],
    ["见https://example.org/a,好", ["见", { href: "https://example.org/a,%E5%A5%BD" }]],
    ["https://example.org/a，好", [{ href: "https://example.org/a" }, "，好"]],
    ["(https://example.org/a)。", ["(", { href: "https://example.org/a" }, ")。"]],
    ["「https://example.org/a」", ["「", { href: "https://example.org/a" }, "」"]],
    ["“https://example.org/a”", ["“", { href: "https://example.org/a" }, "”"]],
    ["https://example.org/a؟", [{ href: "https://example.org/a" }, "؟"]],
    ["https://example.org/a।", [{ href: "https://example.org/a" }, "।"]],
    ["https://example.org/a…", [{ href: "https://example.org/a" }, "…"]],
    ["https://example.org/a——", [{ href: "https://example.org/a" }, "——"]],
    [
      "https://example.org/スター・ウォーズ",
      [{ href: `https://example.org/${encodeURIComponent("スター・ウォーズ")}` }],
    ],
    ["https://example.org/A–B", [{ href: "https://example.org/A%E2%80%93B" }]],
    ["https://例え.example/パス", [{ href: "https://xn--r8jz45g.example/%E3%83%91%E3%82%B9" }]],
    ["www.例え.example", [{ href: "http://www.xn--r8jz45g.example/" }]],
    ["https://www.abc例え.example", [{ href: "https://www.xn--abc-b73b408n.example/" }]],
    ["https://example.org谢谢你", [{ href: "https://example.org/" }, "谢谢你"]],
    [
      "https://例え.jp谢谢。https://a.b/c",
      [{ href: "https://xn--r8jz45g.jp/" }, "谢谢。", { href: "https://a.b/c" }],
    ],
    ["在www.example.org:8080谢谢/再见", ["在", { href: "http://www.example.org:8080/" }, "谢谢/再见"]],
    ["https://example.org/a.b谢谢", [{ href: "https://example.org/a.b%E8%B0%A2%E8%B0%A2" }]],
    ["https://example.org谢谢.example", [{ href: "https://example.xn--org-mz0ja.example/" }]],
    ["https://münchen.example", [{ href: "https://xn--mnchen-3ya.example/" }]],
    ["\u200fhttps://example.org/a\u200f b", ["\u200f", { href: "https://example.org/a" }, "\u200f b"]],
    ["\u2068https://example.org/a\u2069", ["\u2068", { href: "https://example.org/a" }, "\u2069"]],
    ["https://example.org/a\u200b", [{ href: "https://example.org/a" }, "\u200b"]],
    ["https://example.org/\u00ad", [{ href: "https://example.org/" }, "\u00ad"]],
    ["\u200fme@example.org", ["\u200f", { href: "mailto:me@example.org" }]],
    ["\u200ewww.example.org", ["\u200e", { href: "http://www.example.org/" }]],
    ["https://example.org/_", [{ href: "https://example.org/_" }]],
    ["https://go.example/p/a_b_ and more", [{ href: "https://go.example/p/a_b_" }, " and more"]],
    ["http://[2001:db8::1]:8080/x", [{ href: "http://[2001:db8::1]:8080/x" }]],
    ["http://[2001:db8::1]", [{ href: "http://[2001:db8::1]/" }]],
    ["[see http://[2001:db8::1]/x]", ["[see ", { href: "http://[2001:db8::1]/x" }, "]"]],
    ["http://[not a host", ["http://[not a host"]],
    ["https://example.org/a.", [{ href: "https://example.org/a" }, "."]],
    ["https://en.example/a_(b)", [{ href: "https://en.example/a_(b)" }]],
    ['"https://example.org/a"gefunden', ['"', { href: "https://example.org/a" }, '"gefunden']],
    ['{"a":"https://example.org/a"}', ['{"a":"', { href: "https://example.org/a" }, '"}']],
    ["\u2066https://example.org/a\u2069b", ["\u2066", { href: "https://example.org/a" }, "\u2069b"]],
    ["https://example.org/\u202egpj", [{ href: "https://example.org/" }, "\u202egpj"]],
    ["„www.example.org“", ["„", { href: "http://www.example.org/" }, "“"]],
    ["'www.example.org'", ["'", { href: "http://www.example.org/" }, "'"]],
    ["（www.example.org）", ["（", { href: "http://www.example.org/" }, "）"]],
    ["见www.example.org", ["见", { href: "http://www.example.org/" }]],
    ["Www.example.org", [{ href: "http://www.example.org/" }]],
    ["a/www.example.org-www.b.example", ["a/www.example.org-www.b.example"]],
    ["«me@example.org»", ["«", { href: "mailto:me@example.org" }, "»"]],
    ['"me@example.org"', ['"', { href: "mailto:me@example.org" }, '"']],
    ["[me@example.org]", ["[", { href: "mailto:me@example.org" }, "]"]],
    ["邮箱：me@example.org。", ["邮箱：", { href: "mailto:me@example.org" }, "。"]],
    ["请联系me@example.org谢谢", ["请联系", { href: "mailto:me@example.org" }, "谢谢"]],
    ["o'brien@example.org", [{ href: "mailto:o'brien@example.org" }]],
    ["mailto:o'brien@example.org", [{ href: "mailto:o'brien@example.org" }]],
    ["'me@example.org'", ["'", { href: "mailto:me@example.org" }, "'"]],
    ["a&b@example.com", [{ href: "mailto:a&b@example.com" }]],
    ["info@müller.example", [{ href: "mailto:info@m%C3%BCller.example" }]],
    ["josé@example.org?a=me@example.org", ["josé@example.org?a=me@example.org"]],
  ];
  for (const [text, shown] of texts)
    test(text, () =>
      expect(
        paragraph(text).map((part) =>
          typeof part === "object" && "href" in part ? { href: part.href } : part,
        ),
      ).toEqual([...shown] as never),
    );

  test("an underscore at its end is that of italics where one opened them", () =>
    expect(paragraph("_https://example.org/a_")).toMatchObject([
      { kind: "emphasis", children: [{ kind: "link", href: "https://example.org/a" }] },
    ]));
});
