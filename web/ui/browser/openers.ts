// What opened the dialogs over the page: the focus goes back there when they close, also when one took another's place.
import { useEffect, useState } from "react";

/** What had the focus before each dialog that is there now, of the innermost one first. */
let openers: readonly (Element | null)[] = [];
let closing = 0;

/** Whether a dialog that just closed is about to give the focus back: nobody else need find a place for it. */
export function isGivingBack(): boolean {
  return closing > 0;
}

/**
 * For as long as a dialog is drawn. React Aria gives the focus back to what had it when its overlay came; that is too late
 * where the overlay had to be loaded, and wrong where the opener stood in a dialog that this one takes the place of.
 */
export function useFocusReturned(): void {
  const [mine] = useState(() => [document.activeElement, ...openers]);
  useEffect(() => {
    const before = openers;
    openers = mine;
    return () => {
      if (openers === mine) openers = before;
      giveBack(mine);
    };
  }, [mine]);
}

/** After React Aria's own turn, which is the next frame. */
function giveBack(to: readonly (Element | null)[]): void {
  closing++;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      closing--;
      if (document.activeElement !== document.body) return;
      const opener = to.find(
        (each) => each instanceof HTMLElement && each !== document.body && each.isConnected,
      );
      (opener as HTMLElement | undefined)?.focus();
    }),
  );
}
