// Asks before a page with unsaved changes is left: by a link, by the browser's back, or by closing it.
import { useEffect, useSyncExternalStore } from "react";
import { notePlace } from "./place.ts";

type Navigate<Options> = (to: string, options?: Options) => void;
/** Does a step, in a way of its own. */
type Step = (go: () => void, to: string) => void;

/** How much of the page is unsaved: a form, and a page of settings around it. */
let holds = 0;
/** Where the address stands as long as the page is held. */
let heldAt = "";
/** The next step back was decided on. */
let isLeaving = false;
let isMoved = false;
let waiting: (() => void) | undefined;
const watchers = new Set<() => void>();
let step: Step = (go) => go();

/** Around every navigation of the page: `<Router aroundNav={askBeforeLeaving}>`. */
export function askBeforeLeaving<Options>(navigate: Navigate<Options>, to: string, options?: Options): void {
  leave(() => {
    notePlace(location.pathname);
    isMoved = true;
    step(() => navigate(to, options), to);
  });
}

/** From now on every navigation is done so: on a phone one pane takes the other's place. */
export function stepBy(other: Step): void {
  step = other;
}

/** Whether this page has been somewhere else before: the focus of a page that was just loaded is the browser's matter. */
export function hasMoved(): boolean {
  return isMoved;
}

/** Whether something of the page is unsaved, so that leaving it asks. */
export function isHeld(): boolean {
  return holds > 0;
}

/** Goes, or waits until the person has decided what becomes of the changes. */
function leave(go: () => void): void {
  if (holds > 0) wait(go);
  else go();
}

function wait(go: (() => void) | undefined): void {
  waiting = go;
  for (const watcher of watchers) watcher();
}

/** Holds the page while `isUnsaved`. */
export function useHold(isUnsaved: boolean): void {
  useEffect(() => {
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

/** What waits for the decision: to go on, or to stay. */
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

// Before the router hears of it: the address has changed by then, and is set back at once.
addEventListener(
  "popstate",
  (event) => {
    isMoved = true;
    // What lay over the page had an entry of its own: the step that was decided on is still to come.
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
