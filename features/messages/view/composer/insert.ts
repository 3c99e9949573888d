// Inserts text into a field as if it was typed, so that the browser can undo it.

export function replaceText(area: HTMLTextAreaElement, start: number, end: number, text: string): void {
  area.setSelectionRange(start, end);
  if (document.activeElement === area && typed(text)) return;
  // Without the focus nothing can be typed; the field still gets its input event.
  area.setRangeText(text, start, end, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** `execCommand` is the only way to change a field that enters its undo history; no browser has another one. */
function typed(text: string): boolean {
  return text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
}
