// Looks ahead in a text, so that the same letters are not searched again for each of many places.
import type { Steps } from "./steps.ts";

/** Returns the first place that it looks for, or the end of the text. */
export type Search = (text: string, from: number) => number;

/** Finds the next place of a sign. Whoever asks goes through the text in order, so that each letter is searched once. */
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

  /** Returns where the sign stands next, or the end of the text. */
  from(at: number): number {
    if (this.#next < at) {
      this.#next = this.#search(this.#text, at);
      this.#steps.take(this.#next - at + 1);
    }
    return this.#next;
  }
}

/**
 * Returns the earlier of two places. What `Math.min` returns, JavaScriptCore may keep as a floating-point number, and then
 * it takes twice the time to read letters by it.
 */
export function earlier(one: number, other: number): number {
  return one < other ? one : other;
}

/** The pattern is global. */
export function matching(pattern: RegExp): Search {
  return (text, from) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  };
}

/**
 * Searches for any of some signs of ASCII. A text may be nothing but signs, and a regular expression makes an object of
 * each one that it finds.
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
 * Tells whether one of some signs of ASCII stands at a place of a text. Beyond its ends none does, and no code is asked
 * for there: it would be NaN, and JavaScriptCore reads all letters more slowly after that.
 */
export function isAnyOf(signs: RegExp): (text: string, at: number) => boolean {
  const sought = Uint8Array.from({ length: 128 }, (_, code) => Number(signs.test(String.fromCharCode(code))));
  return (text, at) => {
    if (at < 0 || at >= text.length) return false;
    const code = text.charCodeAt(at);
    return code < sought.length && sought[code] === 1;
  };
}
