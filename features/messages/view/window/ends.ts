// Loads older and newer messages before the reader reaches the end of the loaded ones.
import { useCallback, useEffect, useRef } from "react";
import { shownOf, type Window } from "../../../../client/window.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import type { Seen } from "./steady.ts";

/** Distance from the end of the loaded messages, in pixels, at which more are fetched. */
const nearEndPx = 1500;
/** Delay before a failed page is requested again, in milliseconds. */
const restMs = 3000;

export function useEnds(channelId: string, window: Window | undefined): (seen: Seen) => void {
  const { history } = useHouse();
  const now = useRef(window);
  now.current = window;
  const seen = useRef<Seen>(undefined);
  const busy = useRef(new Set<"older" | "newer">());
  const isOver = useRef(false);

  const look = useCallback(() => {
    if (isOver.current || !seen.current) return;
    const { above, below } = seen.current;
    const get = (which: "older" | "newer") => {
      if (busy.current.has(which)) return;
      busy.current.add(which);
      history[which](channelId).then(
        () => busy.current.delete(which),
        () => setTimeout(() => busy.current.delete(which) && look(), restMs),
      );
    };
    if (above < nearEndPx && shownOf(now.current ?? {}).hasOlder) get("older");
    if (below < nearEndPx && now.current?.far) get("newer");
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
