// Text that is selected over several rows: the rows of its two ends stay drawn, and all between them is copied.
import { useEffect, useMemo, useRef, useState } from "react";
import { useHouse } from "../../../web/ui/house.tsx";
import { dayName } from "../../../web/ui/times.ts";
import type { Row } from "./rows.ts";

/** Keys of the rows in which a selection begins and ends, in the order of the page. */
interface Ends {
  from: string;
  to: string;
}

/** Returns the keys of the rows that a selection needs drawn, wherever they are. */
export function useSelectedRows(rows: readonly Row[]): readonly string[] {
  const { chat } = useHouse();
  const [ends, setEnds] = useState<Ends>();
  const now = useRef(rows);
  now.current = rows;
  useEffect(() => {
    const look = () => {
      const next = endsOf(getSelection());
      setEnds((before) => (before?.from === next?.from && before?.to === next?.to ? before : next));
    };
    const copy = (event: ClipboardEvent) => {
      const blocked = chat.state.copy?.blocked ?? [];
      const text = textOver(now.current, getSelection(), (id) => blocked.includes(id));
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
  }, [chat]);
  return useMemo(() => {
    if (!ends) return [];
    return rows.map(({ key }) => key).filter((key) => key === ends.from || key === ends.to);
  }, [rows, ends]);
}

/** What is copied: of the first and the last row what is selected, and all of those between, few of which are drawn. */
function textOver(
  rows: readonly Row[],
  selection: Selection | null,
  isBlocked: (authorId: string) => boolean,
): string | undefined {
  const ends = endsOf(selection);
  if (!selection || !ends || ends.from === ends.to) return undefined;
  const [from, to] = [ends.from, ends.to].map((end) => rows.findIndex(({ key }) => key === end));
  if (from === undefined || to === undefined || from < 0 || to < from) return undefined;
  const whole = selection.getRangeAt(0);
  const [head, tail] = [whole.cloneRange(), whole.cloneRange()];
  const [first, last] = [elementOf(whole.startContainer), elementOf(whole.endContainer)];
  if (!first?.lastChild || !last?.firstChild) return undefined;
  head.setEndAfter(first.lastChild);
  tail.setStartBefore(last.firstChild);
  const between = rows.slice(from + 1, to).map((row) => textOf(row, isBlocked));
  const texts = [drawnText(selection, head), ...between, drawnText(selection, tail)];
  return texts.filter((text) => text !== "").join("\n");
}

/** As the browser would copy it; only a selection says that. It is put back before anybody sees it. */
function drawnText(selection: Selection, range: Range): string {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  selection.removeAllRanges();
  selection.addRange(range);
  const text = selection.toString().trim();
  if (anchorNode && focusNode) selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  return text;
}

/** Authors and what they said, as it was written. */
function textOf(row: Row, isBlocked: (authorId: string) => boolean): string {
  if (row.kind === "new") return "";
  if (row.kind === "unsent") return row.unsent.content;
  if (row.kind === "day") {
    const { weekday, number, month } = dayName(row.day);
    return `${weekday} ${number} ${month}`;
  }
  const { author, content, attachments } = row.message;
  if (isBlocked(author.id)) return "";
  const said = [content, ...attachments.map(({ name }) => name)].filter((text) => text !== "");
  return [...(row.isHead ? [author.display_name] : []), ...said].join("\n");
}

function endsOf(selection: Selection | null): Ends | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const [from, to] = [startContainer, endContainer].map((node) => elementOf(node)?.dataset.rowKey);
  return from === undefined || to === undefined ? undefined : { from, to };
}

function elementOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>("[data-row-key]") ?? null;
}
