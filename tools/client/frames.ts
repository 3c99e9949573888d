// Parses gateway frames, each distinct one once: all listeners in this process get the same bytes.

import type { Frame } from "./wire.ts";

const remembered = new Map<string, Frame>();
const REMEMBERED_AT_MOST = 2_048;

/** The parsed frame. Listeners share the object, so none may change it. */
export function parseFrame(text: string): Frame {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const frame = JSON.parse(text) as Frame;
  // Only numbered events reach several listeners; a READY is long and for one person.
  if (frame.seq !== undefined) remember(text, frame);
  return frame;
}

function remember(text: string, frame: Frame): void {
  if (remembered.size >= REMEMBERED_AT_MOST) {
    const oldest = remembered.keys().next();
    if (!oldest.done) remembered.delete(oldest.value);
  }
  remembered.set(text, frame);
}
