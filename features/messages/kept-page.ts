// A page as bytes that serve every reader: its copies differ only in their flags `me`.
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Message } from "./contract.ts";
import { flagsOfPage } from "./parts.ts";

/** The user id of a reader who has reacted to nothing. */
export const nobody = "00000000-0000-0000-0000-000000000000";

const largestKept = 128 * 1024;
/** The most holders of flags that are cached with a page. Where there are more, each reader's own are looked up. */
const mostHolders = 2000;
/** The most copies of a page that are cached; readers who reacted to the same things share one. */
const mostCopies = 4;

// Cannot occur inside a JSON string, where the quotes would be escaped.
const notMine = '"me":false';
const encoder = new TextEncoder();
const flagBytes = { mine: encoder.encode('"me":true'), notMine: encoder.encode(notMine) };

/** Returns the page's bytes, or null when it is too large to cache. `messages` are as the reader `nobody` gets them. */
export async function forReaders(
  unit: UnitOfWork,
  messages: readonly Message[],
): Promise<BytesForReaders | null> {
  // Where the texts alone are too long, the JSON is not even serialized.
  if (messages.reduce((sum, { content }) => sum + content.length, 0) > largestKept) return null;
  const text = JSON.stringify(messages);
  if (text.length > largestKept) return null;
  const pieces = text.split(notMine).map((piece) => encoder.encode(piece));
  const page = await flagsOfPage(unit, messages);
  const names = page.flags.map(({ name }) => name);
  if (names.length !== pieces.length - 1) throw new Error("a part of messages has a `me` without a flag");
  if (page.flags.reduce((sum, { count }) => sum + count, 0) > mostHolders) {
    return new BytesForReaders(pieces, async (unit, userId) => {
      const held = await page.heldBy(unit, userId);
      return names.map((name) => held.has(name));
    });
  }
  const holders = await page.holders(unit);
  const each = names.map((name) => holders.get(name));
  return new BytesForReaders(pieces, (_, userId) => each.map((those) => those?.has(userId) ?? false));
}

/** Returns for each gap between two pieces whether the flag there is true for this reader. */
type Flags = (unit: UnitOfWork, userId: string) => boolean[] | Promise<boolean[]>;

export class BytesForReaders {
  readonly #pieces: readonly Uint8Array[];
  readonly #flags: Flags;
  readonly #copies = new Map<string, Blob>();

  constructor(pieces: readonly Uint8Array[], flags: Flags) {
    this.#pieces = pieces;
    this.#flags = flags;
  }

  of(unit: UnitOfWork, userId: string): Blob | Promise<Blob> {
    const mine = this.#flags(unit, userId);
    return mine instanceof Promise ? mine.then((those) => this.#with(those)) : this.#with(mine);
  }

  #with(mine: readonly boolean[]): Blob {
    const key = mine.includes(true) ? mine.map(Number).join("") : "";
    const known = this.#copies.get(key);
    if (known) return known;
    // A Blob is sent from its own memory, while bytes would be copied for each answer.
    const copy = new Blob([
      Buffer.concat(
        this.#pieces.flatMap((piece, i) =>
          i === 0 ? [piece] : [mine[i - 1] ? flagBytes.mine : flagBytes.notMine, piece],
        ),
      ),
    ]);
    if (this.#copies.size < mostCopies) this.#copies.set(key, copy);
    return copy;
  }
}
