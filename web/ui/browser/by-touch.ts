// Tracks whether the last focus was moved by touch: what is shown at the focus for keys and the mouse stays away then.
import { create } from "zustand";

/** `is`: true until a key moves the focus or a mouse comes; on devices without a mouse from the beginning. */
export const useByTouch = create(() => ({ is: matchMedia("(hover: none)").matches }));

addEventListener("pointerover", ({ pointerType }) => become(pointerType === "touch"), true);
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
