// When a row shows its actions: under a resting pointer, with the focus, on right click and on long press.
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from "react";
import { useLongPress, useTimer } from "../../../../web/ui/browser/long-press.ts";
import { afterwards } from "../../../../web/ui/loading/later.tsx";
import { withMenus } from "../../../../web/ui/overlays/menu.tsx";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { currentWords, withWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";

/** How long a pointer rests on a row, in milliseconds. */
const restMs = 80;

export interface Place {
  x: number;
  y: number;
}

export function useRowActions(message: Message) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isHeld, hold] = useState(false);
  const [menuAt, setMenuAt] = useState<Place>();
  const [isSheet, setSheet] = useState(false);
  const onKeyDown = useRowKeys(message);
  const hover = useTimer();
  const press = useLongPress(() => setSheet(true));
  return {
    shows: isSheet ? "sheet" : isHovered || isFocused || isHeld ? "bar" : undefined,
    isOpen: isHeld || menuAt !== undefined || isSheet,
    menuAt,
    isHeld,
    hold,
    close: () => {
      setMenuAt(undefined);
      setSheet(false);
    },
    handlers: {
      onKeyDown,
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType === "mouse") hover.start(restMs, () => setHovered(true));
      },
      onPointerLeave: () => {
        hover.stop();
        setHovered(false);
      },
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(":focus-visible")) setFocused(true);
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false);
      },
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        if (!isForRow(event, press.isTouch())) return;
        event.preventDefault();
        if (press.isTouch()) return;
        const { currentTarget: row } = event;
        if (!row.contains(document.activeElement)) row.focus({ preventScroll: true });
        setMenuAt(placeIn(row, event));
      },
      ...press.handlers,
    },
  } as const;
}

/** Links, media, fields and selected text keep the browser's menu. A menu over the page is not part of the row. */
function isForRow({ currentTarget, target, nativeEvent }: MouseEvent, isTouch: boolean): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const isByKey =
    (nativeEvent as unknown as globalThis.PointerEvent).pointerType === "" || target === currentTarget;
  if (isByKey || isTouch) return true;
  return !target.closest("a, img, video, audio, textarea") && getSelection()?.isCollapsed !== false;
}

/** A menu opened by key has no pointer position, and is placed at the beginning of the text. */
function placeIn(row: HTMLElement, { clientX, clientY }: MouseEvent): Place {
  const { left, top, right, bottom } = row.getBoundingClientRect();
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return isInside ? { x: clientX - left, y: clientY - top } : { x: 120, y: bottom - top };
}

type RowKeys = typeof import("./row-keys.ts");

const rowKeys = afterwards(() => withWords("rest", withMenus(import("./row-keys.ts"))));

function useRowKeys(message: Message) {
  const house = useHouse();
  return (event: KeyboardEvent<HTMLElement>) => {
    const { currentTarget: row, target, key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (target !== row || ctrlKey || metaKey || altKey) return;
    const act = ({ doByKey }: RowKeys) =>
      doByKey(key, { message, house, words: currentWords(), row, isShift: shiftKey });
    const known = rowKeys.known();
    if (known ? !act(known) : !/^([^ ]|Delete)$/.test(key)) return;
    event.preventDefault();
    event.stopPropagation();
    // A key pressed before the module is loaded takes effect afterwards.
    if (!known) void rowKeys.ask().then(act);
  };
}
