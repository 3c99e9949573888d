// Keyboard navigation: one tab stop for all rows, arrow keys between rows, and into a row and out of it.
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { create, type StoreApi, type UseBoundStore } from "zustand";
import { isEscape } from "../../../../web/ui/keys/keys.ts";
import { useEditing } from "../drafting/editing.ts";
import type { Row } from "../model/rows.ts";
import type { Seen } from "./steady.ts";
import type { ViewportHandle } from "./viewport.tsx";

interface Active {
  key: string | undefined;
  /** The row receives the focus as soon as it is rendered. */
  isWanted: boolean;
  /** The row that had the focus last, in itself or in a popover, menu or card of it. */
  usedKey: string | undefined;
}

export type UseActive = UseBoundStore<StoreApi<Active>>;

interface Given {
  rows: readonly Row[];
  viewport: RefObject<ViewportHandle | null>;
}

export function useWalk({ rows, viewport }: Given) {
  const [useActive] = useState<UseActive>(() =>
    create(() => ({ key: undefined, isWanted: false, usedKey: undefined })),
  );
  const kept = useKeptRows(rows, useActive);
  useNeighbour(rows, useActive, viewport);

  const goTo = useCallback(
    (to: string | undefined) => {
      if (to === undefined) return;
      useActive.setState({ key: to, isWanted: true });
      viewport.current?.steady?.reveal(to);
    },
    [useActive, viewport],
  );

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const article = target.closest("article");
    if (!article) return;
    if (target !== article) {
      if (isEscape(event) && !isText(target)) stopAt(event, () => article.focus());
      return;
    }
    keyInRow(event, article, (step) => {
      const here = article.closest<HTMLElement>("[data-row-key]")?.dataset.rowKey;
      goTo(walked(rows, here, step(pageOf(viewport))));
    });
  }

  /** While the focus is elsewhere, the tab stop is the last visible row. */
  const onMove = useCallback(
    ({ last }: Seen) => {
      // A row that is to receive the focus is rendered first.
      if (useActive.getState().isWanted) return;
      const steady = viewport.current?.steady;
      const focused = document.activeElement?.closest<HTMLElement>("[data-row-key]")?.dataset.rowKey;
      if (focused !== undefined && steady?.scroller.contains(document.activeElement)) {
        if (useActive.getState().key !== focused) useActive.setState({ key: focused });
        return;
      }
      const inSight = rows.slice(0, last + 1).findLast(isWalked)?.key;
      if (inSight !== useActive.getState().key) useActive.setState({ key: inSight, isWanted: false });
    },
    [rows, viewport, useActive],
  );

  return { useActive, onKeyDown, onMove, kept };
}

/** Returns the rows that stay rendered wherever the list is: the tab stop, the one in use, the one being edited. */
function useKeptRows(rows: readonly Row[], useActive: UseActive): readonly string[] {
  const key = useActive((active) => active.key);
  const usedKey = useActive((active) => active.usedKey);
  const editedId = useEditing((editing) => editing.messageId);
  const edited = rows.find((row) => row.kind === "message" && row.message.id === editedId)?.key;
  return [key, usedKey, edited].filter((each) => each !== undefined);
}

/** Handles keys on a focused row; `walk` moves by the number of rows that it returns for the number of visible ones. */
export function keyInRow(
  event: KeyboardEvent,
  article: HTMLElement,
  walk: (step: (page: number) => number) => void,
): void {
  const { key } = event;
  if (stepOf(key, 1) !== undefined) stopAt(event, () => walk((page) => stepOf(key, page) ?? 0));
  else if (key === "Enter") stopAt(event, () => firstIn(article)?.focus());
  else if (isEscape(event)) stopAt(event, () => composerOf(article)?.focus());
  else if (key.length === 1 && key !== " ") composerOf(article)?.focus();
}

/** Moves the focus of a removed row to the next one. */
function useNeighbour(
  rows: readonly Row[],
  useActive: UseActive,
  viewport: RefObject<ViewportHandle | null>,
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const { key } = useActive.getState();
    if (key === undefined || rows.some((row) => row.key === key)) return;
    const isLost = document.activeElement === document.body && document.hasFocus();
    const from = old.findIndex((row) => row.key === key);
    const known = new Set(rows.filter(isWalked).map((row) => row.key));
    const next =
      old.slice(from).find((row) => known.has(row.key)) ??
      old.slice(0, from).findLast((row) => known.has(row.key));
    useActive.setState({ key: next?.key, isWanted: isLost });
    if (isLost && next) viewport.current?.steady?.reveal(next.key);
  }, [rows, useActive, viewport]);
}

function isWalked(row: Row): boolean {
  return row.kind === "message" || row.kind === "unsent";
}

/** Returns the row `step` rows away, or the first or last one if there are fewer. */
function walked(rows: readonly Row[], here: string | undefined, step: number): string | undefined {
  const stops = rows.filter(isWalked);
  const from = stops.findIndex((row) => row.key === here);
  return stops[Math.max(0, Math.min(stops.length - 1, from + step))]?.key;
}

function stepOf(key: string, page: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}

/** The number of visible rows. */
function pageOf(viewport: RefObject<ViewportHandle | null>): number {
  const seen = viewport.current?.steady?.seen;
  return seen ? Math.max(1, seen.last - seen.first - 1) : 10;
}

function stopAt(event: KeyboardEvent, run: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  run();
}

export function isText(element: HTMLElement): boolean {
  return element.matches("input, textarea, [contenteditable]");
}

function firstIn(article: HTMLElement): HTMLElement | null {
  return article.querySelector<HTMLElement>(
    "a[href], button, audio[controls], video[controls], summary, [tabindex='0']",
  );
}

/** Returns the composer of the room that contains an element. */
export function composerOf(element: Element): HTMLTextAreaElement | null {
  const fields = element.closest("main")?.querySelectorAll("textarea") ?? [];
  return [...fields].find((field) => !field.closest("article")) ?? null;
}
