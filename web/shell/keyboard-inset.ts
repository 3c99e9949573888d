// Ends the frame above a phone's keyboard in browsers that lay the keyboard over the page.
import { useEffect } from "react";

/** The least height of a keyboard in pixels: anything that covers less of the page is none. */
const leastPx = 60;

export function useKeyboardInset(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const { style } = document.documentElement;
    const fit = () => {
      const covered = Math.round(innerHeight - seen.height);
      // Pinch zoom shrinks the visual viewport as well.
      const isKeyboard = covered > leastPx && seen.scale < 1.01;
      style.setProperty("--keyboard", isKeyboard ? `${covered}px` : "0px");
      // Undoes the browser's scroll to the field, which is visible without it now.
      if (isKeyboard) scrollTo(0, 0);
    };
    seen.addEventListener("resize", fit);
    return () => {
      seen.removeEventListener("resize", fit);
      style.removeProperty("--keyboard");
    };
  }, []);
}
