// Detects texts of emoji alone, which are shown larger.
import { normaliseEmoji } from "./emoji.ts";

/** Most emoji that are shown large: more of them are a picture, not an exclamation. */
const mostLarge = 27;

export function isOnlyEmoji(text: string): boolean {
  const plain = text.trim();
  // Most texts end here: they hold a letter. WebKit takes 50 ms to backtrack over 4,000 letters that are emoji but for
  // the last: a pattern that searches for that one letter never backtracks.
  if (/[^\p{Emoji}\p{Emoji_Component}\s]/u.test(plain) || /^[\d#*\s]*$/.test(plain)) return false;
  let pieces = 0;
  // Segmenting all of a long text takes 50 ms, so it stops at the first piece that decides.
  for (const { segment } of new Intl.Segmenter().segment(plain.replace(/\s+/g, " "))) {
    if (segment.trim() === "") continue;
    if (++pieces > mostLarge || normaliseEmoji(segment) === undefined || /^[\d#*]$/.test(segment))
      return false;
  }
  return true;
}
