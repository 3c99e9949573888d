// A server's role names, sorted: finding the one that a text starts with takes the same few steps for any number of them.

interface Entry<R> {
  /** In lower case. */
  name: string;
  role: R;
  /** Its index in the list that was given. */
  place: number;
  /** The nearest entry before it whose name this one starts with. */
  start: Entry<R> | undefined;
}

export class RoleNames<R extends { name: string }> {
  readonly #entries: readonly Entry<R>[];

  constructor(roles: readonly R[]) {
    const entries = roles.map((role, place): Entry<R> => {
      return { name: role.name.toLowerCase(), role, place, start: undefined };
    });
    entries.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    entries.forEach((entry, i) => {
      let start = entries[i - 1];
      while (start && !entry.name.startsWith(start.name)) start = start.start;
      entry.start = start;
    });
    this.#entries = entries;
  }

  /** Returns the role whose name the text starts with: the longest one, as a whole word and whatever its case. */
  longest(rest: string): R | undefined {
    const text = rest.toLowerCase();
    let best: Entry<R> | undefined;
    // All names that the text starts with begin one another, and the last of them stands nearest before the text.
    for (let entry = this.#lastUpTo(text); entry; entry = entry.start) {
      if (!text.startsWith(entry.name) || !endsWord(text, entry.name.length)) continue;
      if (!best || isLonger(entry, best)) best = entry;
    }
    return best?.role;
  }

  #lastUpTo(text: string): Entry<R> | undefined {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.name ?? "") <= text) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1];
  }
}

function endsWord(text: string, end: number): boolean {
  return !/^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2));
}

/** Of two names of the same length, the one that was given first counts. */
function isLonger<R extends { name: string }>(one: Entry<R>, other: Entry<R>): boolean {
  const more = one.role.name.length - other.role.name.length;
  return more > 0 || (more === 0 && one.place < other.place);
}
