// The rows in which text is selected stay drawn, also out of sight: what is copied is all that lies between the two ends.
import { useEffect, useMemo, useState } from "react";
import type { Row } from "./rows.ts";

/** More rows than these are not drawn for a selection. */
const mostRows = 300;

interface Ends {
  from: string;
  to: string;
}

/** Returns the keys of the rows from one end of the selection to the other. */
export function useSelectedRows(rows: readonly Row[]): readonly string[] {
  const [ends, setEnds] = useState<Ends>();
  useEffect(() => {
    const look = () => {
      const now = endsOf(getSelection());
      setEnds((before) => (before?.from === now?.from && before?.to === now?.to ? before : now));
    };
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, []);
  return useMemo(() => {
    if (!ends) return [];
    const places = [ends.from, ends.to].map((end) => rows.findIndex(({ key }) => key === end));
    const [first, last] = [Math.min(...places), Math.max(...places)];
    return first < 0
      ? []
      : rows
          .slice(first, last + 1)
          .slice(-mostRows)
          .map(({ key }) => key);
  }, [rows, ends]);
}

function endsOf(selection: Selection | null): Ends | undefined {
  if (!selection || selection.isCollapsed) return undefined;
  const [from, to] = [rowAt(selection.anchorNode), rowAt(selection.focusNode)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

function rowAt(node: Node | null): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>("[data-row-key]")?.dataset.rowKey;
}
