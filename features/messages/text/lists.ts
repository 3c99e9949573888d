// Finds the items of a list, line by line.
import { fenceAfter } from "./fences.ts";
import type { Steps } from "./steps.ts";

const itemLine = /^( {0,3})([*+-]|\d{1,9}[.)])(?:([ \t].*)|)$/;
const rule = /^ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const heading = /^ {0,3}#{1,6}(?:\s|$)/;
const quote = /^ {0,3}>/;
/** In the middle of a paragraph, a number other than 1 is taken for the end of a sentence. */
const beginsWithinWords = /^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t]/;

interface List {
  start: number | undefined;
  /** The lines of each item, without their list markers. */
  items: string[][];
  /** How many lines of the text belong to the list. */
  length: number;
}

export function beginsList(line: string, isInWords: boolean): boolean {
  return isInWords ? beginsWithinWords.test(line) && !rule.test(line) : itemBegunIn(line) !== undefined;
}

function itemBegunIn(line: string): RegExpExecArray | undefined {
  const begun = itemLine.exec(line);
  return begun && !rule.test(line) ? begun : undefined;
}

/** Reads the list that begins in a line. Items count as parts at once, so that reading stops in an overlong list. */
export function listAt(lines: readonly string[], at: number, steps: Steps): List {
  const [, , first = ""] = itemLine.exec(lines[at] ?? "") ?? [];
  const sign = first.at(-1);
  const items: string[][] = [];
  let next = at;
  while (next < lines.length) {
    const begun = itemBegunIn(lines[next] ?? "");
    if (!begun || begun[2]?.at(-1) !== sign) break;
    steps.draw(1);
    const item = itemAt(lines, next, begun, steps);
    items.push(item.lines);
    next += item.length;
  }
  const last = items.at(-1) ?? [];
  while (last.length > 1 && last.at(-1)?.trim() === "") last.pop();
  const start = first.length > 1 ? Number(first.slice(0, -1)) : undefined;
  return { start, items, length: next - at };
}

function itemAt(
  lines: readonly string[],
  at: number,
  [, lead = "", marker = "", rest = ""]: RegExpExecArray,
  steps: Steps,
): { lines: string[]; length: number } {
  const written = withoutTabs(rest);
  const blank = indentOf(written);
  // After more than four spaces, the rest of the indentation belongs to the content.
  const inner = written.trim() === "" || blank > 4 ? 1 : blank;
  const indent = lead.length + marker.length + inner;
  const found = [written.slice(inner)];
  // An item may begin with at most one empty line.
  if (written.trim() === "" && (lines[at + 1] ?? "x").trim() === "") return { lines: found, length: 2 };
  let fence = fenceAfter("", found[0] ?? "");
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = withoutTabs(lines[next] ?? "");
    steps.take(line.length + 1);
    const isInside = line.trim() === "" || indentOf(line) >= indent;
    if (!isInside && (beginsBlock(line, indent) || isBeforeEnd(found.at(-1) ?? "", fence))) break;
    const inside = isInside ? line.slice(indent) : line;
    fence = fenceAfter(fence, inside);
    found.push(inside);
  }
  return { lines: found, length: next - at };
}

/** True if a block begins in this line outside of the item, which ends the item. */
function beginsBlock(line: string, indent: number): boolean {
  return (
    indentOf(line) < Math.min(4, indent) &&
    (itemLine.test(line) ||
      heading.test(line) ||
      quote.test(line) ||
      rule.test(line) ||
      fenceAfter("", line) !== "")
  );
}

/** True if an unindented line ends the item: only a paragraph may go on without indentation. */
function isBeforeEnd(last: string, fence: string): boolean {
  return (
    fence !== "" || last.trim() === "" || heading.test(last) || rule.test(last) || fenceAfter("", last) !== ""
  );
}

/** Replaces leading tabs by four spaces each. */
function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  const blank = /^[ \t]*/.exec(line)?.[0] ?? "";
  return blank.includes("\t") ? blank.replaceAll("\t", "    ") + line.slice(blank.length) : line;
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charAt(indent) === " ") indent++;
  return indent;
}
