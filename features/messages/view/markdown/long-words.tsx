// Splits words of hundreds of letters: a browser scans the whole word again for each of its lines.
import type { ReactNode } from "react";
import styles from "./prose.module.css";

const longWord = /\S{65,}/g;
const pieceLength = 48;
/** A letter as readers see it may be several characters: flags, families, combining marks. */
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** No letter of any script is longer than a piece; one that is gets split between its characters. */
const inLetter = /[\s\S]{1,24}/gu;

/** The pieces cannot be seen, heard or copied as such. */
export function withLongWords(text: string): ReactNode {
  if (text.search(longWord) < 0) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(longWord)) {
    parts.push(text.slice(at, index));
    at = index + word.length;
    for (const { piece, isLetter } of piecesOf(word))
      parts.push(
        // Endless combining marks are laid out together unless each piece is a box of its own.
        <span key={parts.length} className={isLetter ? styles.apart : undefined}>
          {piece}
        </span>,
      );
  }
  parts.push(text.slice(at));
  return parts;
}

function* piecesOf(word: string): Iterable<{ piece: string; isLetter: boolean }> {
  // Asks for the segments at the cuts only: iterating over thousands of letters takes WebKit milliseconds.
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
