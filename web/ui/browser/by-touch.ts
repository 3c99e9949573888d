// Which focus comes by touch: what follows a tap, or a page that is opened on a phone, needs no marks for the keyboard.

/** True until a key moves the focus; on devices without a mouse from the beginning. */
let isByTouch = matchMedia("(hover: none)").matches;

addEventListener("pointerdown", ({ pointerType }) => (isByTouch = pointerType === "touch"), true);
addEventListener(
  "keydown",
  ({ key }) => (isByTouch &&= !/^(Tab|F6|Arrow|Home|End|Page|Escape)/.test(key)),
  true,
);

/** True if a new focus is seen as the browser shows it, and was not moved by touch. */
export function isFocusByKey(target: Element): boolean {
  return !isByTouch && target.matches(":focus-visible");
}
