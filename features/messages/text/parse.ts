// Parses the text of a message into a tree: Markdown as people use it in chats, and mentions.
import { isAnyOf } from "./ahead.ts";
import type { Names } from "./calls.ts";
import { fenceAfter, fencedAt } from "./fences.ts";
import { inlinesOf, type Reading } from "./inline.ts";
import { beginsList, indentOf, listAt } from "./lists.ts";
import { Steps, TooManySteps } from "./steps.ts";
import type { Block } from "./tree.ts";
import { isTooHeavy, partsOfCode } from "./weight.ts";

/** Nested quotes are shown to this depth; deeper ones as typed. */
const mostQuotes = 4;
const mostLists = 8;

export function parse(source: string, names: Names): Block[] {
  return parseCounted(source, names).blocks;
}

/** Parses a text and counts the steps. Where parsing or drawing it costs too much, the tree is the text as typed. */
export function parseCounted(source: string, names: Names, steps = new Steps(source.length)) {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const reading = { names, steps };
  let blocks: Block[];
  try {
    blocks = quotesAndOthers(lines, reading, 0);
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return { blocks: [asTyped(lines)], steps: steps.taken };
  }
  return { blocks: isTooHeavy(blocks) ? [asTyped(lines)] : blocks, steps: steps.taken };
}

/** One text with its line breaks in it: in a text that is too heavy, separate breaks would be parts again. */
function asTyped(lines: readonly string[]): Block {
  return { kind: "paragraph", children: [lines.join("\n").trimEnd()] };
}

/** Quotes are found line by line: in Markdown the line after a quote would belong to it, in a chat it is the reply. */
function quotesAndOthers(lines: readonly string[], reading: Reading, depth: number): Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  let quoted: string[] = [];
  let fence = "";
  const end = () => {
    if (plain.some((line) => line.trim() !== "")) blocks.push(...blocksOf(plain, reading, 0));
    if (quoted.length > 0) {
      reading.steps.draw(1);
      blocks.push({ kind: "quote", children: quotesAndOthers(quoted, reading, depth + 1) });
    }
    plain = [];
    quoted = [];
  };
  for (const line of lines) {
    reading.steps.take(line.length + 1);
    const [, inQuote] =
      fence === "" && depth < mostQuotes && line.charAt(indentOf(line)) === ">"
        ? (/^ {0,3}>(?: |(?=>)|$)(.*)$/.exec(line) ?? [])
        : [];
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

/** Reads lines outside of quotes. `depth` is the number of enclosing lists. */
function blocksOf(lines: readonly string[], reading: Reading, depth: number): Block[] {
  const blocks: Block[] = [];
  let words = "";
  const end = () => {
    if (words === "") return;
    reading.steps.draw(1);
    blocks.push({ kind: "paragraph", children: inlinesOf(words, reading) });
    words = "";
  };
  for (let at = 0; at < lines.length; ) {
    const isInWords = words !== "";
    const isEmpty = (lines[at] ?? "").trim() === "";
    const found = isEmpty ? undefined : blockAt(lines, at, reading, { depth, isInWords });
    const past = at + (found?.length ?? 1);
    if (found?.block) {
      end();
      blocks.push(found.block);
      at = past;
    }
    for (; at < past; at++) {
      const line = lines[at] ?? "";
      reading.steps.take(line.length + 1);
      if (line.trim() === "") end();
      else words = words === "" ? line : `${words}\n${line}`;
    }
  }
  end();
  return blocks;
}

/** Fences, headings and lists begin with one of these, after their indentation. */
const mayBeginBlock = isAnyOf(/[`~#*+\d-]/);

interface Found {
  /** Undefined where the lines are plain text. */
  block?: Block;
  length: number;
}

interface Around {
  depth: number;
  isInWords: boolean;
}

function blockAt(
  lines: readonly string[],
  at: number,
  reading: Reading,
  { depth, isInWords }: Around,
): Found | undefined {
  const line = lines[at] ?? "";
  if (!mayBeginBlock(line, indentOf(line))) return undefined;
  if (fenceAfter("", line) !== "") {
    reading.steps.draw(partsOfCode);
    return fencedAt(lines, at, reading.steps);
  }
  const heading = headingIn(line);
  if (heading !== undefined) {
    reading.steps.draw(1);
    return { block: { kind: "heading", children: inlinesOf(heading, reading) }, length: 1 };
  }
  if (depth === mostLists || !beginsList(line, isInWords)) return undefined;
  const { parts } = reading.steps;
  const { start, items, length } = listAt(lines, at, reading.steps);
  // Markers alone are no list.
  if (items.every((item) => item.every((each) => each.trim() === ""))) {
    reading.steps.parts = parts;
    return { length };
  }
  reading.steps.draw(1);
  const children = items.map((item) => itemOf(item, reading, depth + 1));
  return { block: { kind: "list", start, items: children }, length };
}

/** Returns the text of a heading, or undefined if the line is none. */
function headingIn(line: string): string | undefined {
  const [, written = ""] = /^ {0,3}#{1,6}(?:\s(.*))?$/.exec(line) ?? [];
  const words = written.trim();
  let end = words.length;
  while (words.charAt(end - 1) === "#") end--;
  const isClosed = end === 0 || /\s/.test(words.charAt(end - 1));
  return (isClosed ? words.slice(0, end).trim() : words) || undefined;
}

const boxes = { x: "☑ ", " ": "☐ " };

function itemOf(lines: readonly string[], reading: Reading, depth: number): Block[] {
  const blocks = blocksOf(lines, reading, depth);
  const [first] = blocks;
  const [, mark] = /^\[([ xX])\][ \t]+\S/.exec(lines[0] ?? "") ?? [];
  if (mark === undefined || first?.kind !== "paragraph") return blocks;
  const box = boxes[mark === " " ? " " : "x"];
  const [words, ...rest] = first.children;
  if (typeof words !== "string") return blocks;
  return [{ ...first, children: [box + words.slice(3).trimStart(), ...rest] }, ...blocks.slice(1)];
}
