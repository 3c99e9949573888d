// How well a name fits what was typed: as its beginning, at the beginnings of its words, or somewhere inside.
import { folded } from "../../protocol/folded.ts";

/** The parts of a text that fit, and how good that is: less is better. */
export interface Match {
  score: number;
  /** From, up to: by index into the text. */
  ranges: readonly (readonly [number, number])[];
}

/** Undefined where it does not fit. Case and accents do not count. */
export function match(query: string, text: string): Match | undefined {
  const wanted = folded(query).trim();
  if (wanted === "") return { score: 0, ranges: [] };
  const name = folded(text);
  // Where folded letters are more or fewer than those of the text, nothing can be marked in it.
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

/** Whether a word begins there. */
function isStart(name: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1] ?? "");
}

/** "dr" is in "doc-review": each letter follows the one before it, or begins a word. */
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
