// Texts of emoji alone, which are shown larger.
import { normaliseEmoji } from "./emoji.ts";

/** More of them are no exclamation but a picture, and stay small. */
const mostLarge = 27;

export function isOnlyEmoji(text: string): boolean {
  const plain = text.trim();
  // Most texts end here: they hold a letter. WebKit takes 50 ms to go back over 4,000 letters that are emoji but for the
  // last: a pattern that looks for the one letter never goes back.
  if (/[^\p{Emoji}\p{Emoji_Component}\s]/u.test(plain) || /^[\d#*\s]*$/.test(plain)) return false;
  const pieces = [...new Intl.Segmenter().segment(plain)]
    .map(({ segment }) => segment)
    .filter((each) => each.trim() !== "");
  return (
    pieces.length <= mostLarge &&
    pieces.every((each) => normaliseEmoji(each) !== undefined && !/^[\d#*]$/.test(each))
  );
}
