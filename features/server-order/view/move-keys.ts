// The commands that move a tab of the strip, which the sheet of keys and the menu list, too.
import { command, isMac, keysOf } from "../../../web/ui/keys/keys.ts";

// The tabs handle these keys themselves: in a field they select text.
export const moves = {
  left: command({
    id: "serverMoveLeft",
    keys: "$mod+Shift+ArrowLeft",
    isLast: true,
    name: ({ serverOrder }) => serverOrder.moveLeft,
  }),
  right: command({
    id: "serverMoveRight",
    keys: "$mod+Shift+ArrowRight",
    isLast: true,
    name: ({ serverOrder }) => serverOrder.moveRight,
  }),
};

/** Returns the keys of one move in the format of `aria-keyshortcuts`. */
export function shortcutOf(move: (typeof moves)[keyof typeof moves]): string {
  return keysOf(move).replace("$mod", isMac ? "Meta" : "Control");
}

/** Returns by how many places a tab moves to the left or to the right. */
export function stepOf(way: keyof typeof moves, strip: Element): 1 | -1 {
  const isMirrored = getComputedStyle(strip).direction === "rtl";
  return (way === "left") === isMirrored ? 1 : -1;
}
