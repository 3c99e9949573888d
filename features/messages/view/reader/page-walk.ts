// The keys in a page of messages: one tab stop for all rows, arrows between them, and into a row and out of it.
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { isEscape } from "../../../../web/ui/keys/keys.ts";
import { isText, keyInRow } from "../window/walk.ts";

/** How many rows a page up or down goes. */
const pageRows = 10;

/** Returns the handlers of the element that holds the rows. */
export function usePageWalk(scroll: RefObject<HTMLElement | null>) {
  const stop = useRef<HTMLElement>(undefined);
  const rows = () => [...(scroll.current?.querySelectorAll<HTMLElement>("article") ?? [])];
  const choose = () => {
    const all = rows();
    const focused = document.activeElement?.closest<HTMLElement>("article");
    stop.current = [focused, stop.current].find((each) => each && all.includes(each)) ?? all.at(-1);
    for (const each of all) each.tabIndex = each === stop.current ? 0 : -1;
  };
  // Runs after each render: rows may have come and gone.
  useEffect(choose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const article = target.closest("article");
    if (!article) return;
    if (target !== article) {
      if (!isEscape(event) || isText(target)) return;
      event.preventDefault();
      event.stopPropagation();
      article.focus();
      return;
    }
    keyInRow(event, article, (step) => {
      const all = rows();
      const to = all.indexOf(article) + step(pageRows);
      all[Math.max(0, Math.min(all.length - 1, to))]?.focus();
    });
  };
  return { onKeyDown, onFocus: choose };
}
