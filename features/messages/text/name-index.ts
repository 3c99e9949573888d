// Finds the longest of many names at a position of a text, without comparing all of them.
import type { Steps } from "./steps.ts";

export interface Found {
  /** The length of the name. */
  length: number;
  id: string;
}

/**
 * Returns a name or a text in lower case, with its length unchanged, so that positions stay valid. The dotted capital
 * I, the only letter that grows, stays as it is.
 */
export function inSmall(text: string): string {
  if (!text.includes("İ")) return text.toLowerCase();
  return text.replace(/[^İ]+/g, (part) => part.toLowerCase());
}

/**
 * Returns the canonical form for comparing names. The lower-case sigma has a form of its own at the end of a word,
 * which would make the match depend on what follows the name.
 */
export function comparable(text: string): string {
  return inSmall(text).replaceAll("ς", "σ");
}

const none: readonly Found[] = [];
const indexes = new WeakMap<ReadonlyMap<string, string>, NameIndex>();

export function nameIndexOf(known: ReadonlyMap<string, string>): NameIndex {
  let index = indexes.get(known);
  if (!index) {
    index = new NameIndex(known);
    indexes.set(known, index);
  }
  return index;
}

export class NameIndex {
  /** The names in canonical form (`comparable`), sorted. */
  readonly #sorted: readonly string[];
  readonly #firstLetters: ReadonlySet<string>;
  /** By name: all names that are a prefix of it, itself last. */
  readonly #within: ReadonlyMap<string, readonly Found[]>;

  constructor(known: ReadonlyMap<string, string>) {
    const ids = new Map([...known].map(([name, id]) => [comparable(name), id] as const));
    this.#sorted = [...ids.keys()].sort();
    this.#firstLetters = new Set(this.#sorted.map((name) => name.charAt(0)));
    this.#within = nestedIn(this.#sorted, ids);
  }

  get isEmpty(): boolean {
    return this.#sorted.length === 0;
  }

  /** Returns the names at a position of a text in canonical form, the longest last. */
  at(text: string, at: number, steps: Steps): readonly Found[] {
    if (!this.#firstLetters.has(text.charAt(at))) return none;
    // Each match is the last name in order that is not above the text here, or a prefix of that name.
    const { name, same } = this.#lastBefore(text, at);
    steps.take(same);
    const nested = this.#within.get(name) ?? none;
    let found = 0;
    for (let high = nested.length; found < high; ) {
      const middle = (found + high) >> 1;
      if ((nested[middle]?.length ?? 0) <= same) found = middle + 1;
      else high = middle;
    }
    return found === 0 ? none : nested.slice(0, found);
  }

  /** Names between two that share a prefix with the text share it, too: those letters are not compared again. */
  #lastBefore(text: string, at: number): { name: string; same: number } {
    const { length } = this.#sorted;
    let low = 0;
    let sameAsLow = 0;
    let sameAsHigh = 0;
    for (let high = length; low < high; ) {
      const middle = (low + high) >> 1;
      const name = this.#sorted[middle] ?? "";
      let same = Math.min(sameAsLow, sameAsHigh);
      while (same < name.length && name.charCodeAt(same) === text.charCodeAt(at + same)) same++;
      if (same === name.length || name.charCodeAt(same) < text.charCodeAt(at + same)) {
        low = middle + 1;
        sameAsLow = same;
      } else {
        high = middle;
        sameAsHigh = same;
      }
    }
    return { name: this.#sorted[low - 1] ?? "", same: sameAsLow };
  }
}

function nestedIn(
  sorted: readonly string[],
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly Found[]> {
  const within = new Map<string, readonly Found[]>();
  const open: { name: string; found: Found }[] = [];
  for (const name of sorted) {
    while (open.length > 0 && !name.startsWith(open.at(-1)?.name ?? "")) open.pop();
    open.push({ name, found: { length: name.length, id: ids.get(name) ?? "" } });
    within.set(
      name,
      open.map(({ found }) => found),
    );
  }
  return within;
}

const namesById = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, string>>();

/** Returns the name of an id. */
export function nameOf(id: string, known: ReadonlyMap<string, string>): string | undefined {
  let names = namesById.get(known);
  if (!names) {
    names = new Map([...known].map(([name, each]) => [each, name]));
    namesById.set(known, names);
  }
  return names.get(id);
}
