// The beginning of a message as plain text, for lists that show one line of it.
import { parse } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";

/** Markup that is longer than this is cut before it is read: an excerpt shows less. */
const charactersRead = 1000;
const noNames = {
  people: new Map<string, string>(),
  roles: new Map<string, string>(),
  channels: new Map<string, string>(),
  everyone: false,
};

/** Returns at most `most` code points of a message without its markup, on one line; with an ellipsis if it is cut. */
export function excerptOf(content: string, most: number): string {
  // The cut may fall between the two halves of a character.
  const beginning = content.slice(0, charactersRead).replace(/[\ud800-\udbff]$/, "");
  const words = textOf(parse(beginning, noNames)).replace(/\s+/gu, " ").trim();
  const points = Array.from(words);
  return points.length <= most
    ? words
    : `${points
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join(" ");
}

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case "code":
      return block.text;
    case "quote":
      return textOf(block.children);
    case "list":
      return block.items.map(textOf).join(" ");
    default:
      return textOfInlines(block.children);
  }
}

function textOfInlines(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (typeof inline === "string") return inline;
      if (inline.kind === "break") return " ";
      return "children" in inline ? textOfInlines(inline.children) : inline.text;
    })
    .join("");
}
