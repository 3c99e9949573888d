// Keeps the focus in a part of the page when the focused element is removed: the nearest remaining neighbour gets it.
import { type RefObject, useEffect } from "react";

const focusable = "a[href], button, input, select, textarea, [tabindex]";

/** The most frames to wait, more than a closing dialog takes. */
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
      // A closing dialog does not let anything behind it have the focus yet.
      if (document.activeElement === document.body && tries++ < mostTries) requestAnimationFrame(look);
    };
    root.addEventListener("focusin", remember);
    // Observes the body, because dialogs are outside of the part and go at the same time as their subject.
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
