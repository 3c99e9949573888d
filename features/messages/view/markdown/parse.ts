// Turns the text of a message into a tree of what it says: Markdown as people write it in chats, and whom it calls.
import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";
import { linkTarget } from "./address.ts";
import { type CallToken, callAt, type Names, nextCall } from "./calls.ts";

export type Inline =
  | string
  | { kind: "strong" | "emphasis" | "strike" | "spoiler"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; title: string; children: Inline[] }
  | { kind: "break" }
  | { kind: "call"; what: CallToken["what"]; id: string; text: string };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; children: Inline[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; start: number | undefined; items: Block[][] };

/** Quotes in quotes are shown to this depth; deeper ones as they were typed. */
const mostQuotes = 4;
const mostLists = 8;
/**
 * The lexer looks from each mark for the one that ends it, which costs the square of their number. A text with more
 * of them than this is a drawing, or an attack, and is shown as it was typed.
 */
const mostMarks = { emphasis: 400, brackets: 300 };
/** What is nested deeper than any sensible text is shown as it was typed. */
const mostNested = 16;

export function parse(source: string, names: Names): Block[] {
  return blocksOf(source.replaceAll("\r\n", "\n").split("\n"), names, 0);
}

/**
 * Quotes are found line by line: in Markdown the line below a quote would belong to it, in a chat it is the answer.
 * Everything between them is for the lexer.
 */
function blocksOf(lines: readonly string[], names: Names, depth: number): Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  let quoted: string[] = [];
  let fence = "";
  const end = () => {
    if (plain.some((line) => line.trim() !== "")) blocks.push(...lexed(plain.join("\n"), names));
    if (quoted.length > 0) blocks.push({ kind: "quote", children: blocksOf(quoted, names, depth + 1) });
    plain = [];
    quoted = [];
  };
  for (const line of lines) {
    const [, inQuote] =
      fence === "" && depth < mostQuotes ? (/^ {0,3}>(?: |(?=>)|$)(.*)$/.exec(line) ?? []) : [];
    if (inQuote === undefined) {
      if (quoted.length > 0) end();
      fence = fenceAfter(fence, line);
      plain.push(line);
    } else {
      if (plain.length > 0) end();
      quoted.push(inQuote);
    }
  }
  end();
  return blocks;
}

/** Returns the marks of the fence that is open after a line, or nothing. */
function fenceAfter(open: string, line: string): string {
  const [, marks = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (open === "") return marks.startsWith("`") && rest.includes("`") ? "" : marks;
  return marks.startsWith(open) && rest.trim() === "" ? "" : open;
}

/** Of Markdown, what people mean in a chat. All else, HTML first of all, is text. */
class ChatTokenizer extends Tokenizer {
  #listsOpen = 0;

  override code = none;
  override html = none;
  override tag = none;
  override def = none;
  override table = none;
  override hr = none;
  override lheading = none;
  override blockquote = none;
  override reflink = none;

  override heading(src: string): Tokens.Heading | undefined {
    return this.#meant(
      () => super.heading(src),
      ({ text }) => text.trim() !== "",
    );
  }

  /** `-` alone is no list. */
  override list(src: string): Tokens.List | undefined {
    if (this.#listsOpen === mostLists) return undefined;
    this.#listsOpen++;
    const list = this.#meant(
      () => super.list(src),
      ({ items }) => items.some((item) => item.text.trim() !== ""),
    );
    this.#listsOpen--;
    return list;
  }

  /** A token that is not meant takes back what it had queued for the lexer, which would be read as another's text. */
  #meant<T>(read: () => T | undefined, isMeant: (token: T) => boolean): T | undefined {
    const { length } = this.lexer.inlineQueue;
    const token = read();
    if (token && isMeant(token)) return token;
    this.lexer.inlineQueue.length = length;
    return undefined;
  }

  /** `~/one:~/other` is two folders. */
  override del(src: string, masked: string, before: string): Tokens.Del | undefined {
    return src.startsWith("~~") ? super.del(src, masked, before) : undefined;
  }
}

function none(): undefined {}

function lexed(source: string, names: Names): Block[] {
  const tokenizer = new ChatTokenizer();
  if (count(source, /[*_~]/g) > mostMarks.emphasis) tokenizer.emStrong = tokenizer.del = none;
  if (count(source, /\[/g) > mostMarks.brackets) tokenizer.link = none;
  const options: MarkedOptions = {
    gfm: true,
    breaks: true,
    tokenizer,
    extensions: {
      renderers: {},
      childTokens: {},
      inline: [spoilerAt, (src, tokens) => callAt(src, tokens as Token[], names)],
      startInline: [nextCall],
    },
  };
  return blocks(new Lexer(options).lex(source));
}

function count(source: string, mark: RegExp): number {
  return source.match(mark)?.length ?? 0;
}

function spoilerAt(this: { lexer: Lexer }, src: string): Tokens.Generic | undefined {
  const [raw, text] = /^\|\|([^|](?:[^|]|\|(?!\|))*)\|\|/.exec(src) ?? [];
  if (raw === undefined || text === undefined || text.trim() === "") return undefined;
  return { type: "spoiler", raw, text, tokens: this.lexer.inlineTokens(text) };
}

/** The lexer ends a paragraph also where HTML would begin; what no empty line divides stays together. */
function blocks(tokens: readonly Token[]): Block[] {
  const made: Block[] = [];
  let isApart = true;
  for (const token of tokens) {
    const block = blockOf(token as Tokens.Generic);
    const before = made.at(-1);
    if (!block) isApart = true;
    else if (!isApart && block.kind === "paragraph" && before?.kind === "paragraph")
      before.children.push(...(isBox(before) ? [] : [lineBreak]), ...block.children);
    else made.push(block);
    if (block) isApart = token.raw.endsWith("\n\n");
  }
  return made;
}

const lineBreak = { kind: "break" } as const;
const boxes = { checked: "☑ ", open: "☐ " };

function isBox({ children: [first, ...rest] }: { children: Inline[] }): boolean {
  return rest.length === 0 && (first === boxes.checked || first === boxes.open);
}

function blockOf(token: Tokens.Generic): Block | undefined {
  switch (token.type) {
    case "space":
      return undefined;
    case "code":
      return { kind: "code", language: token.lang ?? "", text: token.text };
    case "heading":
      return { kind: "heading", children: inlines(token.tokens) };
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      return {
        kind: "list",
        start: ordered ? Number(start) : undefined,
        items: items.map((item) => blocks(item.tokens)),
      };
    }
    case "checkbox":
      return { kind: "paragraph", children: [token.checked ? boxes.checked : boxes.open] };
    default:
      return { kind: "paragraph", children: token.tokens ? inlines(token.tokens) : [token.raw] };
  }
}

function inlines(tokens: readonly Token[] = [], depth = 0): Inline[] {
  const made: Inline[] = [];
  for (const token of tokens) {
    const inline = depth < mostNested ? inlineOf(token as Tokens.Generic, depth + 1) : token.raw;
    const before = made.at(-1);
    if (typeof inline === "string" && typeof before === "string") made[made.length - 1] = before + inline;
    else made.push(inline);
  }
  return made;
}

const marks = { strong: "strong", em: "emphasis", del: "strike", spoiler: "spoiler" } as const;

function inlineOf(token: Tokens.Generic, depth: number): Inline {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
    case "spoiler":
      return { kind: marks[token.type as keyof typeof marks], children: inlines(token.tokens, depth) };
    case "codespan":
      return { kind: "code", text: token.text };
    case "br":
      return lineBreak;
    case "checkbox":
      return token.checked ? boxes.checked : boxes.open;
    case "escape":
      return token.text;
    case "call":
      return { kind: "call", what: token.what, id: token.id, text: token.text };
    case "link":
    case "image":
      return linkOf(token as Tokens.Link | Tokens.Image, depth);
    default:
      return token.raw;
  }
}

/** Where a link leads nowhere that a page may open, all of it is shown as it was typed. */
function linkOf(token: Tokens.Link | Tokens.Image, depth: number): Inline {
  const href = linkTarget(token.href);
  if (href === undefined) return token.raw;
  const children = token.type === "link" ? inlines(token.tokens, depth) : [token.text];
  const isEmpty = children.every((each) => each === "");
  return { kind: "link", href, title: token.title ?? "", children: isEmpty ? [token.href] : children };
}
