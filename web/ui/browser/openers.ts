// The openers of dialogs: they get the focus back when the dialogs close, also when one dialog has replaced another.
import { useEffect, useState } from "react";

/** The element that had the focus before each open dialog, the innermost dialog's first. */
let openers: readonly (Element | null)[] = [];
let closing = 0;

/** True if a closed dialog is about to restore the focus, so that no other code needs to. */
export function isGivingBack(): boolean {
  return closing > 0;
}

/**
 * Restores the focus when the calling dialog unmounts. React Aria restores it to the element that had it when its
 * overlay was mounted: too late if the overlay had to be loaded, and wrong if the opener was in a replaced dialog.
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

/** Runs after React Aria's own restoration, which is in the next frame. */
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
