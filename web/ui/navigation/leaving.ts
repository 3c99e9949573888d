// Asks before a page with unsaved changes is left: by a link, by the browser's back button, or by closing it.
import { useLayoutEffect, useSyncExternalStore } from "react";
import { notePlace } from "./place.ts";

type Navigate<Options> = (to: string, options?: Options) => void;
/** Wraps a navigation step, such as in a transition. */
type Step = (go: () => void, to: string) => void;

/** The number of unsaved parts: a form, and a page of settings around it. */
let holds = 0;
/** The address of the held page. */
let heldAt = "";
/** True if the reader has decided to leave, so that the next step back passes. */
let isLeaving = false;
let isMoved = false;
let waiting: (() => void) | undefined;
const watchers = new Set<() => void>();
let step: Step = (go) => go();

/** Wraps every navigation of the page: `<Router aroundNav={askBeforeLeaving}>`. */
export function askBeforeLeaving<Options>(navigate: Navigate<Options>, to: string, options?: Options): void {
  leave(() => {
    notePlace(location.pathname);
    isMoved = true;
    step(() => navigate(to, options), to);
  });
}

/** Sets the wrapper of every navigation step, for the transition between panes on a phone. */
export function stepBy(other: Step): void {
  step = other;
}

/** True if any navigation has happened since the page was loaded: the initial focus is left to the browser. */
export function hasMoved(): boolean {
  return isMoved;
}

/** True if the page has unsaved changes, so that leaving it asks first. */
export function isHeld(): boolean {
  return holds > 0;
}

/** Goes, or waits until the reader has decided about the unsaved changes. */
function leave(go: () => void): void {
  if (holds > 0) wait(go);
  else go();
}

function wait(go: (() => void) | undefined): void {
  waiting = go;
  for (const watcher of watchers) watcher();
}

/**
 * Holds the page while `isUnsaved`. A layout effect: where the page goes with its subject, such as a deleted channel, it
 * is let go before what is shown in its place navigates elsewhere.
 */
export function useHold(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    holds++;
    heldAt = location.href;
    addEventListener("beforeunload", hold);
    return () => {
      holds--;
      if (holds === 0) removeEventListener("beforeunload", hold);
    };
  }, [isUnsaved]);
}

function hold(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Returns whether a navigation is pending, and the functions to continue it or to stay. */
export function useLeaving(): { isWaiting: boolean; leaveNow(): void; stay(): void } {
  const go = useSyncExternalStore(subscribe, () => waiting);
  return {
    isWaiting: go !== undefined,
    leaveNow() {
      wait(undefined);
      go?.();
    },
    stay: () => wait(undefined),
  };
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// Runs before the router's listener. The address has changed already, and is set back.
addEventListener(
  "popstate",
  (event) => {
    isMoved = true;
    // This step only leaves an overlay's history entry: the step that was decided on is still to come.
    if (holds > 0 && location.href === heldAt) return;
    const isDecided = isLeaving;
    isLeaving = false;
    if (isDecided || holds === 0) return;
    event.stopImmediatePropagation();
    history.pushState(null, "", heldAt);
    wait(() => {
      isLeaving = true;
      history.back();
    });
  },
  { capture: true },
);
