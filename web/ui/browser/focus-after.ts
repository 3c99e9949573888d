// Moves the focus when the control that had it was removed by its own press, so that the focus is never lost.

/** After the next render, focuses the first match of the selector within `place`, or `place` without a selector. */
export function focusAfter(place: Element | null | undefined, selector?: string): void {
  requestAnimationFrame(() => {
    const to = selector === undefined ? place : place?.querySelector(selector);
    if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  });
}
