// How well a name matches a query: as its prefix, at the beginnings of its words, or somewhere inside.
import { folded } from "../../protocol/folded.ts";

/** The matching parts of a text, and a score: lower is better. */
export interface Match {
  score: number;
  /** Index ranges in the text, the end exclusive. */
  ranges: readonly (readonly [number, number])[];
}

/** Returns undefined without a match. Ignores case and accents. */
export function match(query: string, text: string): Match | undefined {
  const wanted = folded(query).trim();
  if (wanted === "") return { score: 0, ranges: [] };
  const name = folded(text);
  // If folding changed the length, the indexes do not apply to the text, and nothing can be marked.
  const mark = (score: number, ranges: Match["ranges"]) => ({
    score: score + text.length / 1000,
    ranges: name.length === text.length ? ranges : [],
  });
  const at = name.indexOf(wanted);
  if (at === 0) return mark(0, [[0, wanted.length]]);
  if (at > 0 && isStart(name, at)) return mark(1, [[at, at + wanted.length]]);
  const initials = byWords(wanted, name);
  if (initials) return mark(2, initials);
  return at > 0 ? mark(3, [[at, at + wanted.length]]) : undefined;
}

/** True if a word begins at this index. */
function isStart(name: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1] ?? "");
}

/** Matches "dr" in "doc-review": each letter follows the one before it, or begins a word. */
function byWords(wanted: string, name: string): [number, number][] | undefined {
  const ranges: [number, number][] = [];
  let at = 0;
  for (const letter of wanted.replace(/\s/g, "")) {
    const last = ranges.at(-1);
    if (last && name[at] === letter) last[1] = ++at;
    else {
      const next = nextStart(name, letter, at);
      if (next === undefined) return undefined;
      ranges.push([next, next + 1]);
      at = next + 1;
    }
  }
  return ranges;
}

function nextStart(name: string, letter: string, from: number): number | undefined {
  for (let at = from; at < name.length; at++) if (name[at] === letter && isStart(name, at)) return at;
  return undefined;
}
