// A page as bytes that serve every reader: all that differs between them is which reactions are their own.
import type { Unit } from "../../server/unit.ts";
import type { Message } from "./contract.ts";

/** Stands for a reader who has reacted to nothing. */
export const nobody = "00000000-0000-0000-0000-000000000000";

const largestKept = 128 * 1024;
const mostReactors = 2000;
/** Readers who reacted to the same things share one copy; so many copies are kept. */
const mostCopies = 4;

// In JSON text this cannot stand inside a string, where the quotes would be escaped.
const notMine = '"me":false';
const encoder = new TextEncoder();
const flagBytes = { mine: encoder.encode('"me":true'), notMine: encoder.encode(notMine) };

/** The page's bytes, or null when it is too large or has too many reactions to keep. `messages` are as nobody sees them. */
export async function forReaders(unit: Unit, messages: readonly Message[]): Promise<BytesForReaders | null> {
  const text = JSON.stringify(messages);
  if (text.length > largestKept) return null;
  const reacted = messages.filter((message) => message.reactions.length > 0).map((message) => message.id);
  const reactors = await reactorsOf(unit, reacted);
  if (!reactors) return null;
  const flags = messages.flatMap(({ id, reactions }) =>
    reactions.map(({ emoji }) => reactors.get(`${id} ${emoji}`) ?? new Set<string>()),
  );
  return new BytesForReaders(
    text.split(notMine).map((piece) => encoder.encode(piece)),
    flags,
  );
}

/** By message and emoji: who put it there; null when they are too many. */
async function reactorsOf(
  unit: Unit,
  messageIds: readonly string[],
): Promise<Map<string, Set<string>> | null> {
  if (messageIds.length === 0) return new Map();
  for (const feature of unit.house.features) {
    if (feature.reactors) return feature.reactors(unit, messageIds, mostReactors);
  }
  return new Map();
}

export class BytesForReaders {
  readonly #pieces: readonly Uint8Array[];
  /** One between each two pieces: whose reaction it is. */
  readonly #flags: readonly ReadonlySet<string>[];
  readonly #copies = new Map<string, Blob>();

  constructor(pieces: readonly Uint8Array[], flags: readonly ReadonlySet<string>[]) {
    this.#pieces = pieces;
    this.#flags = flags;
  }

  of(userId: string): Blob {
    const mine = this.#flags.map((reactors) => reactors.has(userId));
    const key = mine.includes(true) ? mine.map(Number).join("") : "";
    const known = this.#copies.get(key);
    if (known) return known;
    // A blob is sent from where it lies, where bytes are copied for each answer.
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
