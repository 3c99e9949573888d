// Names in searchable form: folded, and with the words that a search may begin with.
import { folded } from "../../protocol/folded.ts";

/** Separators of bare words, including the dashes and dots of usernames. */
const betweenBareWords = /[^\p{L}\p{N}]+/u;
const betweenWords = /\s+/u;

/** Returns a name, or a part of one, in the form used for comparison. */
export function searchable(name: string): string {
  return folded(name).trim();
}

/**
 * Returns the entries of these names in the index: each whole name, and each of its words but the first, which is a
 * prefix of the whole. A word is listed with its punctuation, and bare, for a search without it. An entry that is a
 * prefix of another is left out.
 */
export function searchBeginnings(...names: string[]): string[] {
  const entries = new Set<string>();
  for (const name of names) {
    // Split first: folding turns a character like ´ into a blank.
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
