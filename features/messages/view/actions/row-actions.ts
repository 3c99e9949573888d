// When a row shows its actions: under a resting pointer, with the focus, on right click and on long press.
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { afterwards } from "../../../../web/ui/loading/later.tsx";
import { withMenus } from "../../../../web/ui/overlays/menu.tsx";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { currentWords, withWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";

/** How long a pointer rests on a row, and a finger presses it, in milliseconds. */
const restMs = 80;
const pressMs = 500;
/** A finger that moves this far, in pixels, scrolls. */
const scrollPx = 10;

export interface Place {
  x: number;
  y: number;
}

/**
 * True if the last input was by touch, letters of a keyboard on the screen left aside. A focus that the page gives back
 * may look like one by key then, and the bar would cover what is read.
 */
let isTouched = false;
const capture = { capture: true };
addEventListener("pointerdown", ({ pointerType }) => noteTouch(pointerType === "touch"), capture);
addEventListener(
  "keydown",
  ({ target }) => noteTouch(isTouched && target instanceof Element && target.matches("input, textarea")),
  capture,
);

function noteTouch(isByTouch: boolean): void {
  isTouched = isByTouch;
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
        if (target.matches(":focus-visible") && !isTouched) setFocused(true);
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

function useLongPress(onPress: () => void) {
  const timer = useTimer();
  const from = useRef<Place>({ x: 0, y: 0 });
  const lastPointer = useRef("mouse");
  return {
    isTouch: () => lastPointer.current === "touch",
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y, target }: PointerEvent) => {
        lastPointer.current = pointerType;
        if (pointerType !== "touch" || (target as Element).closest("textarea, video, audio")) return;
        from.current = { x, y };
        timer.start(pressMs, () => {
          swallowTap();
          onPress();
        });
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = from.current;
        if (Math.hypot(clientX - x, clientY - y) > scrollPx) timer.stop();
      },
      onPointerUp: timer.stop,
      onPointerCancel: timer.stop,
    },
  };
}

/** Lifting the finger after a long press is no tap on what it opened. */
function swallowTap(): void {
  const swallow = (event: TouchEvent) => event.preventDefault();
  addEventListener("touchend", swallow, { once: true, capture: true, passive: false });
}

function useTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    stop,
    start(ms: number, run: () => void) {
      stop();
      timer.current = setTimeout(run, ms);
    },
  };
}
