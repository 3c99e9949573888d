// Nests the items of a line in their emphasis.
import type { Pair, Run } from "./emphasis.ts";
import type { Inline } from "./tree.ts";

/** An item of a line before its emphasis marks are paired. */
export type Item = string | Exclude<Inline, string> | Run;

/** Marks nested more deeply than in any sensible text are shown as typed. */
const mostNested = 16;

const none: readonly Pair[] = [];

/** Nests the items between paired marks. */
export function nested(items: readonly Item[]): Inline[] {
  const made: Inline[] = [];
  // Created at the first emphasis: arrays for each of hundreds of short paragraphs cost more than the rest.
  let around: Inline[][] | undefined;
  let inside = made;
  let depth = 0;
  const typed = (mark: string, { kind }: Pair) => add(inside, mark.repeat(kind === "emphasis" ? 1 : 2));
  for (const item of items) {
    if (typeof item === "string" || "kind" in item) {
      add(inside, item);
      continue;
    }
    for (const pair of item.closes ?? none) {
      if (depth-- > mostNested) typed(item.mark, pair);
      else {
        const children = inside;
        inside = around?.pop() ?? made;
        inside.push({ ...pair, children });
      }
    }
    if (item.left > 0) add(inside, item.mark.repeat(item.left));
    for (const pair of item.opens?.reverse() ?? none) {
      if (++depth > mostNested) typed(item.mark, pair);
      else {
        around ??= [];
        around.push(inside);
        inside = [];
      }
    }
  }
  return made;
}

function add(children: Inline[], part: Inline): void {
  const last = children.at(-1);
  if (typeof part === "string" && typeof last === "string") children[children.length - 1] = last + part;
  else if (part !== "") children.push(part);
}
