// When the page was touched last, from its beginning on: what tells others of it is loaded only after the first message.

export const touches = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

let touchedAt = 0;

/** Once. That the page was opened counts as a touch. */
export function watchTouches(): void {
  const onTouch = () => {
    touchedAt = Date.now();
  };
  onTouch();
  for (const each of touches) addEventListener(each, onTouch, { passive: true });
}

/** As `Date.now` says it. */
export function lastTouch(): number {
  return touchedAt;
}
