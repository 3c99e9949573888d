// Tracks whether the last focus was moved by touch: what is shown at the focus for keys and the mouse stays away then.
import { create } from "zustand";

/** `is`: true until a key moves the focus or a mouse comes; on devices without a mouse from the beginning. */
export const useByTouch = create(() => ({ is: matchMedia("(hover: none)").matches }));

// A mouse may rest on a row since before this file was loaded: its next move counts, also without another element.
for (const type of ["pointerover", "pointermove"] as const)
  addEventListener(type, ({ pointerType }) => become(pointerType === "touch"), true);
addEventListener(
  "keydown",
  ({ key }) => {
    if (/^(Tab|F6|Arrow|Home|End|Page|Escape)/.test(key)) become(false);
  },
  true,
);

function become(is: boolean): void {
  if (is !== useByTouch.getState().is) useByTouch.setState({ is });
}
