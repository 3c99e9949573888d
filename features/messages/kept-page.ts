// A page as bytes that serve every reader: its copies differ only in which reactions are the reader's own.
import type { UnitOfWork } from "../../server/house/unit.ts";
import { ownReactionsTo, reactorsTo } from "./access.ts";
import type { Message } from "./contract.ts";

/** The user id of a reader who has reacted to nothing. */
export const nobody = "00000000-0000-0000-0000-000000000000";

const largestKept = 128 * 1024;
/** The most reactors that are cached with a page. Where there are more, each reader's own reactions are looked up. */
const mostReactors = 2000;
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
  const reacted = messages.filter((message) => message.reactions.length > 0);
  const ids = reacted.map((message) => message.id);
  const counts = reacted.flatMap(({ id, reactions }) =>
    reactions.map(({ emoji, count }) => ({ flag: `${id} ${emoji}`, count })),
  );
  const flags = counts.map(({ flag }) => flag);
  if (counts.reduce((sum, { count }) => sum + count, 0) > mostReactors)
    return new BytesForReaders(pieces, (unit, userId) => flagsOf(unit, userId, ids, flags));
  const [reactors] = ids.length > 0 ? await unit.ask(reactorsTo, ids) : [];
  const each = flags.map((flag) => reactors?.get(flag) ?? new Set<string>());
  return new BytesForReaders(pieces, (_, userId) => each.map((those) => those.has(userId)));
}

async function flagsOf(
  unit: UnitOfWork,
  userId: string,
  messageIds: readonly string[],
  flags: readonly string[],
): Promise<boolean[]> {
  const [own] = await unit.ask(ownReactionsTo, userId, messageIds);
  return flags.map((flag) => own?.has(flag) ?? false);
}

/** Returns one flag for each gap between two pieces: whether the reaction there is this reader's. */
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
