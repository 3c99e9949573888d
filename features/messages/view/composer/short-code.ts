// A completed short code like ":smile:" is replaced by its emoji while the user types.
import { loadEmoji } from "../../../../web/ui/emoji/emoji.ts";
import { replaceText } from "./insert.ts";
import { isInCode } from "./tokens.ts";

/** The browser's undo restores the short code. */
export async function putShortCode(area: HTMLTextAreaElement): Promise<void> {
  const found = shortCodeAt(area.value, area.selectionEnd);
  if (!found) return;
  const { value } = area;
  const all = await loadEmoji().catch(() => []);
  const emoji = all.find(({ code }) => code === found.code);
  if (!emoji || area.value !== value) return;
  const { start, end } = found;
  const { selectionStart, selectionEnd } = area;
  replaceText(area, start, end, emoji.emoji);
  // The caret may be elsewhere by now.
  const after = (at: number) => (at <= start ? at : Math.max(at, end) - (end - start) + emoji.emoji.length);
  area.setSelectionRange(after(selectionStart), after(selectionEnd));
}

/** Returns the completed short code that ends at the caret, such as ":smile:". */
export function shortCodeAt(
  text: string,
  caret: number,
): { code: string; start: number; end: number } | undefined {
  const before = text.slice(0, caret);
  const found = /(?:^|\s):([\p{L}\d+][\p{L}\d_+-]+):$/u.exec(before);
  if (!found?.[1] || isInCode(before)) return undefined;
  return { code: found[1], start: caret - found[1].length - 2, end: caret };
}
