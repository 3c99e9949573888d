// The drawing cost of a text: each part is one or more elements that the browser has to lay out.
import { mostParts } from "./steps.ts";
import type { Block, Inline } from "./tree.ts";

/** A code block has a header, a button and a scrolling field; a link and a mention also say their target. */
export const partsOfCode = 8;
const partsOfLink = 3;

export function isTooHeavy(blocks: readonly Block[]): boolean {
  return sum(blocks, ofBlock) > mostParts;
}

function ofBlock(block: Block): number {
  switch (block.kind) {
    case "code":
      return partsOfCode;
    case "quote":
      return 1 + sum(block.children, ofBlock);
    case "list":
      return 1 + sum(block.items, (item) => 1 + sum(item, ofBlock));
    default:
      return 1 + sum(block.children, ofInline);
  }
}

function ofInline(part: Inline): number {
  const itself = partsOf(part);
  return typeof part === "object" && "children" in part ? itself + sum(part.children, ofInline) : itself;
}

/** Returns the parts of one inline element, without its children. */
export function partsOf(part: Inline): number {
  if (typeof part === "string") return 0;
  return part.kind === "link" || part.kind === "call" ? partsOfLink : 1;
}

function sum<Part>(parts: readonly Part[], weigh: (part: Part) => number): number {
  return parts.reduce((all, part) => all + weigh(part), 0);
}
