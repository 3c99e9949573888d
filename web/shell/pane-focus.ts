// Keeps the focus on a phone when another pane is shown: the control that led there is hidden, or gone, with its pane.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";

/** How many frames a pane may take until it is there: it may have to be loaded, or a dialog closes first. */
const mostFrames = 30;

const presses = ["keydown", "pointerdown"] as const;

/** The button of the members: on the way back from them it is preferred to the heading. */
const opener = "[data-toggles=members]";
const own = ["h1:not(.visually-hidden), h2", "main"];

/** The room's text field, where it takes the focus, does so afterwards. */
export function usePaneFocus(pane: RefObject<HTMLElement | null>, shown: string, hasPanel: boolean): void {
  const [path] = useLocation();
  const before = useRef({ shown, path, hasPanel });
  const frame = useRef(0);
  useLayoutEffect(() => {
    const { shown: shownBefore, path: pathBefore, hasPanel: hadPanel } = before.current;
    before.current = { shown, path, hasPanel };
    // At the first drawing the focus begins at the start of the page, as everywhere.
    if (shown === shownBefore && path === pathBefore) return;
    const wanted = hadPanel && !hasPanel ? [opener, ...own] : own;
    cancelAnimationFrame(frame.current);
    let frames = 0;
    frame.current = requestAnimationFrame(look);
    // With a frame, whose layout is needed anyway.
    function look() {
      if (isLost(document.activeElement)) focusFirst(pane.current, wanted);
      if (++frames < mostFrames) frame.current = requestAnimationFrame(look);
    }
  }, [pane, shown, path, hasPanel]);
  // A menu that closes at a later press loses the focus, too, and gives it back itself.
  useEffect(() => {
    const stop = () => cancelAnimationFrame(frame.current);
    for (const press of presses) addEventListener(press, stop, true);
    return () => {
      stop();
      for (const press of presses) removeEventListener(press, stop, true);
    };
  }, []);
}

function isLost(element: Element | null): boolean {
  return element === null || element === document.body || element.getClientRects().length === 0;
}

/** Focuses the first visible match, without a ring where the last press was not by a key. */
function focusFirst(pane: HTMLElement | null, wanted: readonly string[]): void {
  const all = wanted.flatMap((selector) => [...(pane?.querySelectorAll<HTMLElement>(selector) ?? [])]);
  const to = all.find((each) => each.getClientRects().length > 0);
  if (!to) return;
  if (to.tabIndex < 0) to.tabIndex = -1;
  to.focus({ preventScroll: true });
}
