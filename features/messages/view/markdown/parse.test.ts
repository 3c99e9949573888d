// The text of a message: what is Markdown in it, whom it calls, that none of it is lost, and that none of it is slow.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Names } from "./calls.ts";
import { type Block, type Inline, parse } from "./parse.ts";

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

/** What a reader can see or open: texts, and the addresses behind links. */
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
        // Numbers of list items but the first are counted, not kept.
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

  // Milliseconds where nothing is wrong: a second is a page that hangs, on any machine.
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
  const from = performance.now();
  run();
  return performance.now() - from;
}
