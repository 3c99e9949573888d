// Puts what was read of a line into the marks of emphasis around it.
import type { Pair, Run } from "./emphasis.ts";
import type { Inline } from "./tree.ts";

/** What a line is made of as long as its marks have no pairs. */
export type Item = string | Exclude<Inline, string> | Run;

/** Marks that are nested deeper than in any sensible text are shown as typed. */
const mostNested = 16;

const none: readonly Pair[] = [];

/** Puts what stands between paired marks into them. */
export function nested(items: readonly Item[]): Inline[] {
  const made: Inline[] = [];
  // Made where there is emphasis: arrays for each of hundreds of short paragraphs cost more than the rest.
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
