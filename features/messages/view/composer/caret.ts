// Finds the position of a character in a text field, in pixels, by laying out an invisible copy of the text.

const copied = [
  "boxSizing",
  "width",
  "paddingInlineStart",
  "paddingInlineEnd",
  "fontFamily",
  "fontSize",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "tabSize",
  "textIndent",
  "direction",
] as const;

/** Returns the position relative to the inner top left corner of the field, including its scrolling. */
export function placeOf(area: HTMLTextAreaElement, index: number): { left: number; top: number } {
  const style = getComputedStyle(area);
  const copy = document.createElement("div");
  for (const property of copied) copy.style[property] = style[property];
  Object.assign(copy.style, {
    position: "fixed",
    insetBlockStart: "0",
    insetInlineStart: "0",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
  });
  copy.textContent = area.value.slice(0, index);
  const mark = document.createElement("span");
  mark.textContent = area.value.slice(index) || ".";
  copy.append(mark);
  document.body.append(copy);
  const [first] = mark.getClientRects();
  const from = copy.getBoundingClientRect();
  const place = { left: (first?.left ?? 0) - from.left, top: (first?.top ?? 0) - from.top };
  copy.remove();
  return { left: place.left, top: place.top + Number.parseFloat(style.paddingBlockStart) - area.scrollTop };
}
