// Focus stays in a part of the page when what had it goes: a deleted row hands it to the nearest living neighbour.
import { type RefObject, useEffect } from "react";

const focusable = "a[href], button, input, select, textarea, [tabindex]";

/** Frames of the screen that a dialog takes to close, and more. */
const mostTries = 60;

export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = part.current;
    if (!root) return;
    let path: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      tries = 0;
      path = target instanceof Element ? pathTo(target, root) : [];
    };
    let tries = 0;
    const look = () => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
      const alive = path.find((each) => each.isConnected && neighbourIn(each)) ?? root;
      (neighbourIn(alive) ?? root).focus();
      // A dialog that is closing lets nothing behind it have the focus yet.
      if (document.activeElement === document.body && tries++ < mostTries) requestAnimationFrame(look);
    };
    root.addEventListener("focusin", remember);
    // Dialogs are outside of the part, and go in the same moment as what they were about.
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      root.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, [part]);
}

function neighbourIn(element: Element): HTMLElement | null {
  return element.querySelector<HTMLElement>(focusable);
}

function pathTo(element: Element, root: Element): Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each && each !== root; each = each.parentElement) path.push(each);
  return [...path, root];
}
