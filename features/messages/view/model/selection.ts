// The rows in which a text selection begins and ends.

/** Keys of the first and last row of a selection, in page order. */
export interface Ends {
  from: string;
  to: string;
}

export function endsOf(selection: Selection | null): Ends | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const [from, to] = [startContainer, endContainer].map((node) => elementOf(node)?.dataset.rowKey);
  return from === undefined || to === undefined ? undefined : { from, to };
}

export function elementOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>("[data-row-key]") ?? null;
}
