// Where the focus goes when the control that had it is gone after its own press: it is never nowhere.

/** Waits until the page is drawn anew, and then focuses what the selector finds in a place; or the place itself. */
export function focusAfter(place: Element | null | undefined, selector?: string): void {
  requestAnimationFrame(() => {
    const to = selector === undefined ? place : place?.querySelector(selector);
    if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  });
}
