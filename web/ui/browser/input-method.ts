// Detects keys that belong to an input method (IME), which the page has to ignore.

/** Safari ends the composition before the event of the key that ended it, and marks that key with key code 229. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
