// Changes of a file, as a list: which bytes go, and what stands in their place.
import { TooOdd } from "./file-bytes.ts";

/** The bytes of `from` to `to`, which is not included, go; nothing, other bytes or as many zeros take their place. */
interface Edit {
  from: number;
  to: number;
  instead?: Uint8Array | "zeros";
}

/** More than any program writes; of a file that was made to need millions they would fill the memory. */
export const mostEdits = 1000;

export class Edits {
  readonly #list: Edit[] = [];

  get list(): readonly Edit[] {
    return this.#list;
  }

  /** Throws TooOdd. */
  add(edit: Edit): void {
    const last = this.#list.at(-1);
    if (last && last.to === edit.from && !last.instead && !edit.instead) last.to = edit.to;
    else this.#list.push(edit);
    if (this.#list.length > mostEdits) throw new TooOdd();
  }

  /** By how much the file becomes longer, or shorter where that is below zero. */
  get growth(): number {
    return this.#list.reduce((sum, { from, to, instead }) => {
      if (instead === "zeros") return sum;
      return sum + (instead?.length ?? 0) - (to - from);
    }, 0);
  }
}

/** A stretch of a file that stays as it is, or what is written in place of another. */
type Piece = { from: number; to: number } | Uint8Array;

const zeros = new Uint8Array(64 * 1024);

/** Yields what the file consists of after the changes, from its beginning to its end. */
export function* edited(size: number, edits: readonly Edit[]): Generator<Piece> {
  let at = 0;
  for (const { from, to, instead } of edits.toSorted((one, other) => one.from - other.from)) {
    if (from > at) yield { from: at, to: from };
    // What an odd file has two changes for is changed once.
    const done = Math.max(0, at - from);
    if (instead === "zeros") yield* nothing(to - from - done);
    else if (instead && done < instead.length) yield instead.subarray(done);
    at = Math.max(at, to);
  }
  if (size > at) yield { from: at, to: size };
}

function* nothing(length: number): Generator<Uint8Array> {
  for (let left = length; left > 0; left -= zeros.length)
    yield zeros.subarray(0, Math.min(left, zeros.length));
}
