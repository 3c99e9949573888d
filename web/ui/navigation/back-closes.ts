// On a phone, going back closes the topmost overlay: each has an entry in the history, above the place that it covers.
import { useEffectEvent, useLayoutEffect } from "react";
import { frameWidth } from "../browser/frame-width.ts";

/** The close functions of the open overlays, the topmost last. */
const layers: (() => void)[] = [];
/** How many overlay entries the history has above the current place. Entries outlive their overlays, and are reused. */
let depth = depthNow();

/** Calls `close`, as Escape does, when the reader goes back while the overlay is mounted. */
export function useBackCloses(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useLayoutEffect(() => {
    const layer = () => closeNow();
    layers.push(layer);
    riseToTop();
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

function riseToTop(): void {
  if (frameWidth() === "narrow") while (depth < layers.length) rise();
}

function rise(): void {
  history.pushState({ ...stateNow(), over: depth + 1 }, "");
  depth = depthNow();
}

function depthNow(): number {
  const { over } = stateNow();
  return typeof over === "number" ? over : 0;
}

function stateNow(): { over?: unknown } {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? state : {};
}

addEventListener(
  "popstate",
  () => {
    const before = depth;
    depth = depthNow();
    if (depth >= before) return;
    const top = layers.at(-1);
    if (top) {
      top();
      // An overlay that asks first, before typed text is lost, is still there, and takes the next step back, too.
      setTimeout(() => layers.includes(top) && riseToTop());
    }
    // The entry's overlay is closed already, so going back means the previous place.
    else history.back();
  },
  { capture: true },
);
// The router dispatches these events for its own steps.
addEventListener("pushState", () => {
  depth = depthNow();
});
addEventListener("replaceState", () => {
  // The place was replaced: the entry below it is still the covered one.
  if (depth > 0 && depthNow() === 0) history.replaceState({ ...stateNow(), over: depth }, "");
});
