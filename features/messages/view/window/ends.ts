// Loads older and newer messages before the reader reaches the end of the loaded ones.
import { useCallback, useEffect, useRef } from "react";
import { shownOf, spanMost, type Window } from "../../../../client/window.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import type { Seen } from "./steady.ts";

/** Distance from the end of the loaded messages, in pixels, at which more are fetched. */
const nearEndPx = 1500;
/** By how much one end has to be nearer than the other, in pixels, where a full window has both near. */
const nearerPx = 100;
/** Delay before a failed page is requested again, in milliseconds. */
const restMs = 3000;

type End = "older" | "newer";

/**
 * Returns the ends at which more is loaded. A full window drops a page at one end for each at the other. Where its rows
 * are so few that both ends are near (messages of blocked people are counted in one row), only the end that is clearly
 * nearer is loaded: else the two would take turns without end.
 */
export function endsToLoad({ above, below }: Pick<Seen, "above" | "below">, window: Window): End[] {
  const shown = shownOf(window);
  const isOlder = above < nearEndPx && shown.hasOlder;
  const isNewer = below < nearEndPx && window.far !== undefined;
  if (shown.messages.length < spanMost || above >= nearEndPx || below >= nearEndPx)
    return [...(isOlder ? ["older" as const] : []), ...(isNewer ? ["newer" as const] : [])];
  // At the bottom a full window keeps its newest messages: a page at the old end would be thrown away.
  if (isOlder && above + nearerPx < below && (window.far || window.isHeld)) return ["older"];
  return isNewer && below + nearerPx < above ? ["newer"] : [];
}

export function useEnds(channelId: string, window: Window | undefined): (seen: Seen) => void {
  const { history } = useHouse();
  const now = useRef(window);
  now.current = window;
  const seen = useRef<Seen>(undefined);
  const busy = useRef(new Set<End>());
  const isOver = useRef(false);

  const look = useCallback(() => {
    if (isOver.current || !seen.current) return;
    const get = (which: End) => {
      if (busy.current.has(which)) return;
      busy.current.add(which);
      history[which](channelId).then(
        () => busy.current.delete(which),
        () => setTimeout(() => busy.current.delete(which) && look(), restMs),
      );
    };
    for (const end of endsToLoad(seen.current, now.current ?? {})) get(end);
  }, [history, channelId]);

  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);

  return useCallback(
    (next: Seen) => {
      seen.current = next;
      look();
    },
    [look],
  );
}
