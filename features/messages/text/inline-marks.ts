// Single inline elements: code, link targets, spoilers.
import { earlier, isAnyOf } from "./ahead.ts";
import type { Steps } from "./steps.ts";

/** Positions of runs of backticks by their length, in descending order. */
type Runs = Map<number, number[]>;

/** Finds the end of inline code: a run of as many backticks as opened it. */
export class CodeEnds {
  readonly #text: string;
  readonly #steps: Steps;
  #runs: Runs | undefined;

  constructor(text: string, steps: Steps) {
    this.#text = text;
    this.#steps = steps;
  }

  /** Returns the end of the code that a run of `length` backticks before `from` opens. */
  after(from: number, length: number): number | undefined {
    // The last backticks of a text need no list.
    if (!this.#text.includes("`", from)) return undefined;
    this.#runs ??= runsOf(this.#text, this.#steps);
    const places = this.#runs.get(length) ?? [];
    // The text is read forward: earlier positions are not needed again.
    while ((places.at(-1) ?? from) < from) {
      places.pop();
      this.#steps.take(1);
    }
    return places.at(-1);
  }
}

/** Each list in descending order. */
function runsOf(text: string, steps: Steps): Runs {
  const runs: Runs = new Map();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length);
    if (places) places.push(index);
    else runs.set(run.length, [index]);
  }
  for (const places of runs.values()) places.reverse();
  steps.take(text.length);
  return runs;
}

/** Spaces at both ends let code contain backticks, and are not part of it. */
export function codeText(inside: string): string {
  const text = inside.replaceAll("\n", " ");
  const isPadded = text.startsWith(" ") && text.endsWith(" ") && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}

export interface Target {
  href: string;
  title: string;
  /** The position after the closing bracket. */
  end: number;
}

/** No real URL nests brackets more deeply. */
const mostParentheses = 8;
const [blank, opening, closing, backslash] = [0x20, 0x28, 0x29, 0x5c];
const isBlank = isAnyOf(/[ \t\n]/);
const inAngles = /<((?:\\.|[^\n<>\\])*)>/y;
const escapes = /\\([\p{P}\p{S}])/gu;
const titles = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|\(((?:\\[\s\S]|[^()\\])*)\)/y;

/** Reads `(address "title")` after the text of a link. */
export function targetAt(text: string, open: number, steps: Steps): Target | undefined {
  let at = pastBlanks(text, open + 1);
  const angled = text.charAt(at) === "<" ? matchAt(inAngles, text, at) : undefined;
  const end = angled ? at + angled[0].length : addressEnd(text, at);
  steps.take(end - open);
  const href = angled?.[1] ?? text.slice(at, end);
  at = pastBlanks(text, end);
  let title: RegExpExecArray | undefined;
  if (at > end) {
    title = matchAt(titles, text, at);
    steps.take(title?.[0].length ?? 1);
    at = pastBlanks(text, at + (title?.[0].length ?? 0));
  }
  if (text.charAt(at) !== ")") return undefined;
  const [, double, single, round] = title ?? [];
  const unescaped = (written: string) => written.replace(escapes, "$1");
  return { href: unescaped(href), title: unescaped(double ?? single ?? round ?? ""), end: at + 1 };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function pastBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text, at)) at++;
  return at;
}

/** Returns the end of the URL: the first blank, or a closing bracket without its opening one. */
function addressEnd(text: string, from: number): number {
  let open = 0;
  let at = from;
  for (; at < text.length && open <= mostParentheses; at++) {
    const code = text.charCodeAt(at);
    if (code <= blank) break;
    if (code === backslash) at++;
    else if (code === opening) open++;
    else if (code === closing && open-- === 0) break;
  }
  return earlier(at, text.length);
}
