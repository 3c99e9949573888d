// The strip of servers in the hand: the wheel scrolls it, tabs are moved, and the edges tell what lies beyond them.
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { keysIn, keysOf } from "../../../web/ui/keys/keys.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { StripProps } from "../../servers/view/slots.ts";
import { useBeyond } from "./beyond.ts";
import { useIds } from "./ids.ts";
import { useLetGo } from "./let-go.ts";
import { moves, shortcutOf, stepOf } from "./move-keys.ts";
import { moveByStep, moveServer } from "./moving.ts";
import { useOrderDrag } from "./order-drag.ts";

/** Returns the number of mentions in servers whose tabs are out of sight. */
export function useStripHand({ strip, servers, currentId, isMany }: StripProps): number {
  const { chat } = useHouse();
  const { serverOrder: words } = useWords();
  const tabs = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    tabs.current = strip.current?.querySelector<HTMLElement>("[data-tabs]") ?? null;
  }, [strip]);
  const ids = useIds(servers);
  const { before, after, mentions } = useBeyond({ tabs, ids, servers, currentId });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the second edge comes and goes with many servers.
  useLayoutEffect(() => {
    const edges = strip.current?.querySelectorAll<HTMLElement>("[data-edge]") ?? [];
    for (const [i, edge] of [...edges].entries()) mark(edge, i === 0 ? before : after);
  }, [strip, before, after, isMany]);
  useWheel(strip, tabs);
  useOrderDrag({
    list: tabs,
    axis: "x",
    ids,
    onMove: (id, place) => moveServer(chat, id, place, words),
  });
  useMoveKeys(tabs, ids, (id, step) => moveByStep(chat, id, step, words));
  return mentions;
}

function mark(edge: HTMLElement, beyond: string | undefined): void {
  if (beyond) edge.dataset.beyond = beyond;
  else delete edge.dataset.beyond;
}

type Place = RefObject<HTMLElement | null>;

/** Scrolls the tabs by the wheel, in whichever direction it is turned. */
function useWheel(strip: Place, tabs: Place): void {
  useEffect(() => {
    const element = strip.current;
    const turned = (event: WheelEvent) => {
      const { deltaX, deltaY, deltaMode, ctrlKey } = event;
      const list = tabs.current;
      // With Ctrl it zooms the page.
      if (!list || ctrlKey || list.scrollWidth <= list.clientWidth) return;
      event.preventDefault();
      const delta = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY * (isMirrored(list) ? -1 : 1);
      list.scrollLeft += delta * (deltaMode === WheelEvent.DOM_DELTA_LINE ? pxPerLine : 1);
    };
    element?.addEventListener("wheel", turned, { passive: false });
    return () => element?.removeEventListener("wheel", turned);
  }, [strip, tabs]);
}

/** Firefox counts lines, three of them for what is 100 pixels elsewhere. */
const pxPerLine = 33;

const ways = ["left", "right"] as const;

/** Moves the focused tab by keys, and keeps the focus on it: a browser drops it from what changes its place. */
function useMoveKeys(tabs: Place, ids: readonly string[], move: (id: string, step: 1 | -1) => void): void {
  const carried = useRef<string>(undefined);
  useLetGo(carried);
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const list = tabs.current;
    const keys = keysIn(event);
    if (!list || keys === undefined) return;
    carried.current = undefined;
    const way = ways.find((each) => keys === keysOf(moves[each]));
    const id = ids[[...list.children].indexOf(document.activeElement ?? list)];
    if (way === undefined || id === undefined) return;
    event.preventDefault();
    carried.current = id;
    move(id, stepOf(way, list));
  });
  useEffect(() => {
    const list = tabs.current;
    const listener = (event: KeyboardEvent) => pressed(event);
    list?.addEventListener("keydown", listener);
    return () => list?.removeEventListener("keydown", listener);
  }, [tabs]);
  useLayoutEffect(() => {
    const all = [...(tabs.current?.children ?? [])];
    for (const tab of all) tab.setAttribute("aria-keyshortcuts", shortcuts());
    const tab = carried.current === undefined ? undefined : all[ids.indexOf(carried.current)];
    if (!(tab instanceof HTMLElement)) return;
    if (tab !== document.activeElement) tab.focus();
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tabs, ids]);
}

/** Returns the keys in the format of `aria-keyshortcuts`. */
function shortcuts(): string {
  return Object.values(moves).map(shortcutOf).join(" ");
}

function isMirrored(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === "rtl";
}
