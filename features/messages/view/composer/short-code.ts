// A short code that was typed in full, ":smile:": it becomes what it means while one writes.
import { loadEmoji } from "../../../../web/ui/emoji/emoji.ts";
import { replaceText } from "./insert.ts";
import { isInCode } from "./tokens.ts";

/** The browser's undo brings the letters back. */
export async function putShortCode(area: HTMLTextAreaElement): Promise<void> {
  const found = shortCodeAt(area.value, area.selectionEnd);
  if (!found) return;
  const { value } = area;
  const all = await loadEmoji().catch(() => []);
  const emoji = all.find(({ code }) => code === found.code);
  if (emoji && area.value === value) replaceText(area, found.start, area.selectionEnd, emoji.emoji);
}

/** Returns the short code that ends at the caret, as it was typed in full: ":smile:". */
export function shortCodeAt(text: string, caret: number): { code: string; start: number } | undefined {
  const before = text.slice(0, caret);
  const found = /(?:^|\s):([\p{L}\d+][\p{L}\d_+-]+):$/u.exec(before);
  if (!found?.[1] || isInCode(before)) return undefined;
  return { code: found[1], start: caret - found[1].length - 2 };
}
