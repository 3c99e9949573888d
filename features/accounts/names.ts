// Names as people search for them: without case and accents, and with the words that a search may begin with.

/** What parts bare words: the dashes and dots of usernames too. */
const betweenBareWords = /[^\p{L}\p{N}]+/u;
const betweenWords = /\s+/u;

/**
 * Returns a name, or a part of one, in the form in which it is compared: case, accents and compatibility forms do not
 * count.
 */
export function searchable(name: string): string {
  // A capital letter may fall apart only once it is small.
  const small = name.normalize("NFKD").toLowerCase().normalize("NFKD");
  return small.replace(/\p{M}+/gu, "").trim();
}

/**
 * Returns everything that a search for one of these names may begin with: each name as a whole, and each of its words
 * but the first, with which the whole begins. A word is listed with the signs in it, and bare, for a search without
 * them. What another entry begins with is left out.
 */
export function searchBeginnings(...names: string[]): string[] {
  const entries = new Set<string>();
  for (const name of names) {
    // Parted first: a sign like ´ is compared as a blank.
    const words = name.trim().split(betweenWords).slice(1).map(searchable);
    const whole = searchable(name);
    for (const entry of [whole, ...words, ...whole.split(betweenBareWords).slice(1)])
      if (entry !== "") entries.add(entry);
  }
  return [...entries].filter((entry) => ![...entries].some((other) => isLonger(other, entry)));
}

function isLonger(other: string, entry: string): boolean {
  return other !== entry && other.startsWith(entry);
}
