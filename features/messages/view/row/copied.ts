// Text copied from a selection over several rows, most of which are not rendered.
import { dayName } from "../../../../web/ui/words/times.ts";
import { isGrouped, type Row } from "../model/rows.ts";
import { elementOf, endsOf } from "../model/selection.ts";

/** Returns the selected part of the first and last row, and all text of the rows between, few of which are rendered. */
export function textOver(rows: readonly Row[], selection: Selection | null): string | undefined {
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
  const between = rows.slice(from + 1, to).map((row, i) => textOf(row, rows[from + i]));
  const texts = [drawnText(selection, head), ...between, drawnText(selection, tail)];
  return texts.filter((text) => text !== "").join("\n");
}

/** The text as the browser copies it, which takes a selection. The old one is restored before anybody sees it. */
function drawnText(selection: Selection, range: Range): string {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  selection.removeAllRanges();
  selection.addRange(range);
  const text = selection.toString().trim();
  if (anchorNode && focusNode) selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  return text;
}

/** The text as it was written, below its author where another one wrote before. */
function textOf(row: Row, before: Row | undefined): string {
  if (row.kind === "new" || row.kind === "beginning") return "";
  if (row.kind === "unsent") return row.unsent.content;
  if (row.kind === "day") {
    const { weekday, number, month } = dayName(row.day);
    return `${weekday} ${number} ${month}`;
  }
  const { author, content, attachments } = row.message;
  if (row.folded) return "";
  const said = [content, ...attachments.map(({ name }) => name)].filter((text) => text !== "");
  // A row keeps its author's line once shown, even after earlier messages of the same author have loaded.
  const goesOn = before?.kind === "message" && !before.folded && isGrouped(before.message, row.message);
  return [...(row.isHead && !goesOn ? [author.display_name] : []), ...said].join("\n");
}
