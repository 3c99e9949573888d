// The keyboard of a phone lies over the page where the browser makes no room for it: then the frame ends above it.
import { useEffect } from "react";

/** What covers less of the page, in pixels, is no keyboard. */
const leastPx = 60;

export function useKeyboardInset(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const { style } = document.documentElement;
    const fit = () => {
      const covered = Math.round(innerHeight - seen.height);
      // A reader who zooms sees a part of the page on purpose.
      const isKeyboard = covered > leastPx && seen.scale < 1.01;
      style.setProperty("--keyboard", isKeyboard ? `${covered}px` : "0px");
      // The browser pushed the page up to show the field, which is in sight by itself now.
      if (isKeyboard) scrollTo(0, 0);
    };
    seen.addEventListener("resize", fit);
    return () => {
      seen.removeEventListener("resize", fit);
      style.removeProperty("--keyboard");
    };
  }, []);
}
