// Continues lists and quotes: the prefix of a new line.

interface Edit {
  /** The range to replace. */
  start: number;
  end: number;
  text: string;
}

const marker = /^(\s*)(?:([-*+])(\s+)(\[[ xX]\]\s+)?|(\d{1,9})([.)])(\s+)|(>+)(\s?))/;

/** Returns the edit for a line break: within a list a new bullet, after an empty bullet the end of the list. */
export function brokenLine(text: string, start: number, end = start): Edit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const line = text.slice(lineStart, start);
  const found = marker.exec(line);
  if (!found) return { start, end, text: "\n" };
  const [all, indent = "", bullet, space = "", box, number, point, after = "", quote, gap = ""] = found;
  const lineEnd = text.indexOf("\n", end);
  const rest = text.slice(end, lineEnd < 0 ? undefined : lineEnd);
  // An empty bullet ends the list.
  if (line.length === all.length && rest.trim() === "") return { start: lineStart, end, text: "" };
  if (bullet) return { start, end, text: `\n${indent}${bullet}${space}${box ? "[ ] " : ""}` };
  if (number) return { start, end, text: `\n${indent}${Number(number) + 1}${point}${after}` };
  return { start, end, text: `\n${indent}${quote}${gap}` };
}
