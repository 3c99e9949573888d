// The anchor of an overlay, as the overlay's library sees it.
import { type RefObject, useMemo } from "react";

/**
 * An anchor that was removed from the page is none: the overlay stays where it is. Its library would measure the removed
 * element as an empty one in the corner of the window, and move the overlay there, from under the pointer.
 */
export function useAnchored(anchor: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return useMemo(
    () => ({
      get current() {
        return anchor.current?.isConnected ? anchor.current : null;
      },
    }),
    [anchor],
  );
}
