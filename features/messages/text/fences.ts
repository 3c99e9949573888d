// Fenced code blocks.
import type { Steps } from "./steps.ts";
import type { Block } from "./tree.ts";

const fenceLine = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))([\s\S]*)/;

/** Returns the marks of the fence that is open after a line, or "" if none is. */
export function fenceAfter(open: string, line: string): string {
  if (!line.includes("```") && !line.includes("~~~")) return open;
  const [, , marks = "", rest = ""] = fenceLine.exec(line) ?? [];
  if (open === "") return marks.startsWith("`") && rest.includes("`") ? "" : marks;
  return marks.startsWith(open) && rest.trim() === "" ? "" : open;
}

/** Returns the code block that begins in a line, and its number of lines. Unclosed, it extends to the end. */
export function fencedAt(
  lines: readonly string[],
  at: number,
  steps: Steps,
): { block: Block; length: number } {
  const [, indent = "", fence = "", info = ""] = fenceLine.exec(lines[at] ?? "") ?? [];
  const inside: string[] = [];
  let end = at + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    steps.take(line.length + 1);
    if (fenceAfter(fence, line) === "") break;
    inside.push(outdented(line, indent.length));
  }
  if (end === lines.length && inside.at(-1) === "") inside.pop();
  const text = inside.join("\n");
  // An empty last line is only visible where another line follows.
  const isOpen = inside.length > 0 && inside.at(-1) === "";
  const language = info.trim().replace(/\\([\p{P}\p{S}])/gu, "$1");
  return {
    block: { kind: "code", language, text: isOpen ? `${text}\n` : text },
    length: Math.min(end + 1, lines.length) - at,
  };
}

/** Removes the indentation of the fence from a line of code. */
function outdented(line: string, indent: number): string {
  let blank = 0;
  while (blank < indent && /\s/.test(line.charAt(blank))) blank++;
  return line.slice(blank);
}
