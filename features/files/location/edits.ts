// Edits of a file, as a list of removed ranges and their replacements.
import { TooOdd } from "./file-bytes.ts";

/** Removes the bytes from `from` to `to`, which is excluded; nothing, other bytes or as many zeros replace them. */
interface Edit {
  from: number;
  to: number;
  instead?: Uint8Array | "zeros";
}

/** Most edits of a file: more than any program needs; a file made to need millions would fill the memory. */
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

  /** The change of the file's length in bytes, negative if it becomes shorter. */
  get growth(): number {
    return this.#list.reduce((sum, { from, to, instead }) => {
      if (instead === "zeros") return sum;
      return sum + (instead?.length ?? 0) - (to - from);
    }, 0);
  }
}

/** An unchanged range of the file, or the replacement of another. */
type Piece = { from: number; to: number } | Uint8Array;

const zeros = new Uint8Array(64 * 1024);

/** Yields the pieces of the edited file, from its beginning to its end. */
export function* edited(size: number, edits: readonly Edit[]): Generator<Piece> {
  let at = 0;
  for (const { from, to, instead } of edits.toSorted((one, other) => one.from - other.from)) {
    if (from > at) yield { from: at, to: from };
    // Bytes with two edits, in an odd file, are edited once.
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
