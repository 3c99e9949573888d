// The time of the last input on the page, from its start on: the module that reports it loads after the first message.

/** Listen to them in the capture phase: menus, and rows for the keys that move between them, stop their events. */
export const touches = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

let touchedAt = 0;

/** Call once. Opening the page counts as input. */
export function watchTouches(): void {
  const onTouch = () => {
    touchedAt = Date.now();
  };
  onTouch();
  for (const each of touches) addEventListener(each, onTouch, { capture: true, passive: true });
}

/** In milliseconds, like `Date.now`. */
export function lastTouch(): number {
  return touchedAt;
}
