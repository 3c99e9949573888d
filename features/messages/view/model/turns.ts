// Renders long texts a few at a time, so that the page can handle typing between two turns.
import { useEffect, useState } from "react";

/** Shorter texts are rendered with their row: dozens of them cost no more than one hostile text. */
const longLetters = 1000;
/** Letters rendered between two frames; no message is longer. */
const lettersATurn = 4000;

/** Messages whose text was rendered before. They skip the queue: the list knows the height of their row. */
const drawn = new WeakSet<object>();
const waiting = new Map<() => void, number>();
let left = lettersATurn;

/** Returns whether the text of this message may be rendered now. Otherwise a later turn renders it. */
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

/** The first text of a turn is rendered whatever its length. */
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

/** Runs after the layout of what was rendered. */
function afterFrame(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
