// Words of hundreds of letters in pieces: the browser lays out each line of such a word by looking at all of it again.
import type { ReactNode } from "react";
import styles from "./prose.module.css";

const longWord = /\S{65,}/g;
const pieceLength = 48;
/** One letter to a reader may be many signs: flags, families, marks above and below. */
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** No letter of any script is longer than a piece: such a one is cut between its signs. */
const inLetter = /[\s\S]{1,24}/gu;

/** Nothing is seen of the pieces, heard of them, or copied. */
export function withLongWords(text: string): ReactNode {
  if (text.search(longWord) < 0) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(longWord)) {
    parts.push(text.slice(at, index));
    at = index + word.length;
    for (const { piece, isLetter } of piecesOf(word))
      parts.push(
        // Marks upon marks without end are laid out together unless they stand in boxes of their own.
        <span key={parts.length} className={isLetter ? styles.apart : undefined}>
          {piece}
        </span>,
      );
  }
  parts.push(text.slice(at));
  return parts;
}

function* piecesOf(word: string): Iterable<{ piece: string; isLetter: boolean }> {
  // Asked for the cuts alone: to go through all of thousands of letters takes WebKit milliseconds.
  const inWord = letters.segment(word);
  for (let at = 0; at < word.length; ) {
    const cut = inWord.containing(at + pieceLength)?.index ?? word.length;
    if (cut > at) {
      yield { piece: word.slice(at, cut), isLetter: false };
      at = cut;
    } else {
      const { segment } = inWord.containing(at) as Intl.SegmentData;
      for (const [part] of segment.matchAll(inLetter)) yield { piece: part, isLetter: true };
      at += segment.length;
    }
  }
}
