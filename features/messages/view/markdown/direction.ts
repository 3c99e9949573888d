// The direction of a quote or list item, which decides on the side of its bar or bullet.
import { fromRight } from "../../../../web/ui/words/isolated.ts";
import type { Block, Inline } from "../../text/tree.ts";

/**
 * Returns the direction of the first letter. The browser's `dir="auto"` skips elements that have a direction of their
 * own, so it finds no letter in a quote that is nothing but a list.
 */
export function directionOf(blocks: readonly Block[]): "ltr" | "rtl" {
  return fromRight.test(firstLetter(blocks)) ? "rtl" : "ltr";
}

/** Code and mentions do not affect the direction, so they are skipped. */
function firstLetter(parts: readonly (Block | Inline)[]): string {
  for (const part of parts) {
    const letter = typeof part === "string" ? /\p{L}/u.exec(part)?.[0] : firstLetter(partsOf(part));
    if (letter) return letter;
  }
  return "";
}

function partsOf(part: Exclude<Block | Inline, string>): readonly (Block | Inline)[] {
  if (part.kind === "list") return part.items.flat();
  return "children" in part ? part.children : [];
}
