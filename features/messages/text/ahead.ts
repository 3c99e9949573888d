// Lookahead in a text, so that the same letters are not searched again from each of many positions.
import type { Steps } from "./steps.ts";

/** Returns the first match at or after a position, or the end of the text. */
export type Search = (text: string, from: number) => number;

/** Finds the next match of a search. Callers move forward through the text, so that each letter is searched once. */
export class Ahead {
  readonly #text: string;
  readonly #search: Search;
  readonly #steps: Steps;
  #next = -1;

  constructor(text: string, search: Search, steps: Steps) {
    this.#text = text;
    this.#search = search;
    this.#steps = steps;
  }

  /** Returns the position of the next match, or the end of the text. */
  from(at: number): number {
    if (this.#next < at) {
      this.#next = this.#search(this.#text, at);
      this.#steps.take(this.#next - at + 1);
    }
    return this.#next;
  }
}

/**
 * Returns the smaller of two positions. JavaScriptCore may keep the result of `Math.min` as a floating-point number,
 * which makes indexing the text with it twice as slow.
 */
export function earlier(one: number, other: number): number {
  return one < other ? one : other;
}

/** Searches for a global pattern. */
export function matching(pattern: RegExp): Search {
  return (text, from) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  };
}

/**
 * Searches for any of several ASCII characters. A text may consist of them alone, and a regular expression allocates an
 * object for each match.
 */
export function anyOf(signs: RegExp): Search {
  const isSought = isAnyOf(signs);
  return (text, from) => {
    let at = from;
    while (at < text.length && !isSought(text, at)) at++;
    return at;
  };
}

/**
 * Tests whether one of several ASCII characters is at a position. Out of bounds the answer is false without a call of
 * `charCodeAt`: it would return NaN, and JavaScriptCore reads all letters more slowly after that.
 */
export function isAnyOf(signs: RegExp): (text: string, at: number) => boolean {
  const sought = Uint8Array.from({ length: 128 }, (_, code) => Number(signs.test(String.fromCharCode(code))));
  return (text, at) => {
    if (at < 0 || at >= text.length) return false;
    const code = text.charCodeAt(at);
    return code < sought.length && sought[code] === 1;
  };
}
