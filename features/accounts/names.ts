// Names as people search for them: folded, and with the words that a search may begin with.
import { folded } from "../../protocol/folded.ts";

/** What parts bare words: the dashes and dots of usernames too. */
const betweenBareWords = /[^\p{L}\p{N}]+/u;
const betweenWords = /\s+/u;

/** Returns a name, or a part of one, in the form in which it is compared. */
export function searchable(name: string): string {
  return folded(name).trim();
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
