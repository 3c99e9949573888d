// On a phone back closes what lies on top: what is over the page has an entry in the history, above the place that it covers.
import { useEffectEvent, useLayoutEffect } from "react";
import { frameWidth } from "../browser/frame-width.ts";

/** What lies over the page, the topmost last. */
const layers: (() => void)[] = [];
/** How many entries above a place of the page the history stands. They outlive what they were made for, and serve again. */
let depth = depthNow();

/** `close` is what Escape does, as long as this is drawn. */
export function useBackCloses(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useLayoutEffect(() => {
    const layer = () => closeNow();
    layers.push(layer);
    if (frameWidth() === "narrow") while (depth < layers.length) rise();
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
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
    if (top) top();
    // Nothing is there any more that the entry was for: back means the place before.
    else history.back();
  },
  { capture: true },
);
// The router tells of its own steps by these.
addEventListener("pushState", () => {
  depth = depthNow();
});
addEventListener("replaceState", () => {
  // Another place took this one's: the entry below it is still the one that was covered.
  if (depth > 0 && depthNow() === 0) history.replaceState({ ...stateNow(), over: depth }, "");
});
