// Keys while an input method is at work: they choose among its words, and mean nothing to the page.

/** Safari ends composing before the key that did it comes, and says so by 229. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
