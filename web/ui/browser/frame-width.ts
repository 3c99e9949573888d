// The width class of the frame, for logic that depends on the layout: one pane at a time, or several.
import { useSyncExternalStore } from "react";

type FrameWidth = "narrow" | "middle" | "wide";

/** The same breakpoints as in the container queries of the styles. */
const narrow = matchMedia("(max-width: 719px)");
const middle = matchMedia("(max-width: 1179px)");

export function useFrameWidth(): FrameWidth {
  return useSyncExternalStore(subscribe, frameWidth);
}

export function frameWidth(): FrameWidth {
  if (narrow.matches) return "narrow";
  return middle.matches ? "middle" : "wide";
}

function subscribe(watcher: () => void): () => void {
  for (const each of [narrow, middle]) each.addEventListener("change", watcher);
  return () => {
    for (const each of [narrow, middle]) each.removeEventListener("change", watcher);
  };
}
