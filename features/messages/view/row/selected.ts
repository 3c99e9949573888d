// Selections over several rows: both end rows stay rendered, and everything between them is copied.
import { useEffect, useMemo, useRef, useState } from "react";
import { afterwards } from "../../../../web/ui/loading/later.tsx";
import type { Row } from "../model/rows.ts";
import { type Ends, endsOf } from "../model/selection.ts";

/** Until it is loaded, the browser copies the rendered text. */
const copied = afterwards(() => import("./copied.ts"));

/** Returns the keys of the rows that a selection needs rendered, wherever they are. */
export function useSelectedRows(rows: readonly Row[]): readonly string[] {
  const [ends, setEnds] = useState<Ends>();
  const now = useRef(rows);
  now.current = rows;
  useEffect(() => {
    const look = () => {
      const next = endsOf(getSelection());
      setEnds((before) => (before?.from === next?.from && before?.to === next?.to ? before : next));
    };
    const copy = (event: ClipboardEvent) => {
      const text = copied.known()?.textOver(now.current, getSelection());
      if (text === undefined || !event.clipboardData) return;
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("selectionchange", look);
    document.addEventListener("copy", copy);
    return () => {
      document.removeEventListener("selectionchange", look);
      document.removeEventListener("copy", copy);
    };
  }, []);
  return useMemo(() => {
    if (!ends) return [];
    return rows.map(({ key }) => key).filter((key) => key === ends.from || key === ends.to);
  }, [rows, ends]);
}
