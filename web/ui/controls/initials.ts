// The letters that stand for a name where there is no picture.

export function firstLetter(name: string): string {
  const [first = "?"] = lettersOf(name, 1);
  return first.toLocaleUpperCase();
}

const articles = /^(the|an?|der|die|das|eine?)$/i;

/** Returns the initials of the first two words of a server's name without articles; of a single word, two letters. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = words[0] ?? "", second] = words.filter((word) => !articles.test(word));
  const letters =
    second === undefined ? lettersOf(first, 2) : [first, second].flatMap((word) => lettersOf(word, 1));
  return letters.join("").toLocaleUpperCase();
}

/** Shared, because creating a segmenter is slow, and each row of a room may have a face. */
const segmenter = new Intl.Segmenter();

/** Returns the first graphemes: an emoji counts as one letter. */
function lettersOf(text: string, most: number): string[] {
  return [...segmenter.segment(text.trim())].slice(0, most).map(({ segment }) => segment);
}
