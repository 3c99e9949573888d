// Pairs emphasis marks: which `*`, `_` and `~~` open emphasis, and which ones close it.
import type { Steps } from "./steps.ts";

export interface Pair {
  kind: "strong" | "emphasis" | "strike";
}

/** A run of equal marks, and how it was paired. */
export interface Run {
  mark: string;
  length: number;
  /** The number of unpaired marks. */
  left: number;
  /** Absent where the run opens or closes nothing: a text may consist of marks alone. */
  opens?: Pair[];
  closes?: Pair[];
  canOpen: boolean;
  canClose: boolean;
}

type Side = "space" | "sign" | "letter";

function sideOf(letter: string): Side {
  if (/^\s|^$/.test(letter)) return "space";
  return /^[\p{P}\p{S}]/u.test(letter) ? "sign" : "letter";
}

/** Precomputed for ASCII, the usual neighbours of marks: a text may consist of marks alone. */
const ofAscii = Array.from({ length: 128 }, (_, code) => sideOf(String.fromCharCode(code)));

/** Returns the run of marks at this position, or undefined where they are plain characters, such as single tildes. */
export function runAt(text: string, at: number): Run | undefined {
  const mark = text.charAt(at);
  let end = at + 1;
  while (text.charAt(end) === mark) end++;
  const length = end - at;
  if (mark === "~" && length !== 2) return undefined;
  const before = sideBefore(text, at);
  const after = sideAfter(text, end);
  // Tildes next to the marks count as letters.
  const opensLeft = after !== "space" && (after !== "sign" || text[end] === "~" || before !== "letter");
  const closesRight = before !== "space" && (before !== "sign" || text[at - 1] === "~" || after !== "letter");
  const isWord = mark === "_";
  const canOpen = opensLeft && (!isWord || !closesRight || before === "sign");
  const canClose = closesRight && (!isWord || !opensLeft || after === "sign");
  if (!canOpen && !canClose) return undefined;
  return { mark, length, left: length, canOpen, canClose };
}

function sideBefore(text: string, at: number): Side {
  const code = at > 0 ? text.charCodeAt(at - 1) : 32;
  const isSecondHalf = code >= 0xdc00 && code < 0xe000;
  return ofAscii[code] ?? sideOf(text.slice(isSecondHalf ? at - 2 : at - 1, at));
}

function sideAfter(text: string, end: number): Side {
  return ofAscii[end < text.length ? text.charCodeAt(end) : 32] ?? sideOf(text.slice(end, end + 2));
}

/**
 * Pairs the runs as CommonMark does. `searched` holds, for each kind of run, the index below which no opener fits, so
 * that the same runs are not searched again.
 */
export function pairRuns(runs: readonly Run[], steps: Steps): void {
  if (runs.length < 2) return;
  /** Indexes of the runs that may open emphasis. */
  const open: number[] = [];
  let searched: Map<number, number> | undefined;
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as Run;
    steps.take(1);
    const kind = run.mark.charCodeAt(0) * 8 + (run.length % 3) * 2 + Number(run.canOpen);
    const last = searched?.get(kind) ?? -1;
    while (run.canClose && run.left > 0 && open.length > 0) {
      let i = open.length - 1;
      for (; i >= 0; i--) {
        const candidate = open[i] as number;
        steps.take(1);
        if (candidate <= last) i = -1;
        else if (fits(runs[candidate] as Run, run)) break;
      }
      if (i < 0) {
        searched ??= new Map();
        searched.set(kind, at - 1);
        break;
      }
      const opener = runs[open[i] as number] as Run;
      open.length = i + 1;
      pair(opener, run);
      steps.draw(1);
      if (opener.left === 0) open.pop();
    }
    if (run.canOpen && run.left > 0) open.push(at);
  }
}

function fits(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark) return false;
  const isEither = opener.canClose || closer.canOpen;
  return (
    !isEither || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0 || closer.mark === "~"
  );
}

function pair(opener: Run, closer: Run): void {
  const isDouble = opener.left > 1 && closer.left > 1;
  const made: Pair = { kind: closer.mark === "~" ? "strike" : isDouble ? "strong" : "emphasis" };
  opener.opens ??= [];
  opener.opens.push(made);
  closer.closes ??= [];
  closer.closes.push(made);
  opener.left -= isDouble ? 2 : 1;
  closer.left -= isDouble ? 2 : 1;
}
