// Long texts are drawn a few at a time: what a reader types meanwhile is answered between two turns.
import { useEffect, useState } from "react";

/** A shorter text is drawn with its row: dozens of them cost no more than one that is written to be dear. */
const longLetters = 1000;
/** Letters that are drawn between two frames: a message has at most so many. */
const lettersATurn = 4000;

/** Messages whose text was drawn before. They take no turn: the list knows the height of their row. */
const drawn = new WeakSet<object>();
const waiting = new Map<() => void, number>();
let left = lettersATurn;

/** Returns whether the text of this message is to be drawn. One that is not will be in one of the next turns. */
export function useTurn(message: { content: string }): boolean {
  const { length } = message.content;
  const [isDrawn, setDrawn] = useState(() => drawn.has(message) || takeTurn(length));
  useEffect(() => {
    if (isDrawn) {
      drawn.add(message);
      return;
    }
    const draw = () => setDrawn(true);
    waiting.set(draw, length);
    return () => {
      waiting.delete(draw);
    };
  }, [isDrawn, message, length]);
  return isDrawn;
}

/** The first of a turn is drawn, however long it is. */
function takeTurn(length: number): boolean {
  if (length < longLetters) return true;
  if (length > left && left < lettersATurn) return false;
  if (left === lettersATurn) afterFrame(endTurn);
  left -= length;
  return true;
}

function endTurn(): void {
  left = lettersATurn;
  for (const [draw, length] of waiting) {
    if (!takeTurn(length)) break;
    waiting.delete(draw);
    draw();
  }
}

/** Only then what was drawn is laid out. */
function afterFrame(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
