// A long press of a finger, the touch counterpart of a right click.
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

/** How long a finger presses, in milliseconds. */
const pressMs = 500;
/** A finger that moves this far, in pixels, scrolls. */
const scrollPx = 10;

export function useLongPress(onPress: () => void) {
  const timer = useTimer();
  const from = useRef({ x: 0, y: 0 });
  const lastPointer = useRef("mouse");
  return {
    /** True if the last pointer was a finger. */
    isTouch: () => lastPointer.current === "touch",
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y, target, currentTarget }: PointerEvent) => {
        // React passes on what is pressed in a sheet or a picker that a part of this opened over the page.
        if (!currentTarget.contains(target as Node)) return;
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

/** Handlers that open a menu by right click, by the key for context menus, and by a long press. */
export function useMenuPress(open: () => void) {
  return {
    onContextMenu: (event: MouseEvent) => {
      if (!event.currentTarget.contains(event.target as Node)) return;
      event.preventDefault();
      open();
    },
    ...useLongPress(open).handlers,
  };
}

/** Lifting the finger after a long press is no tap on what it opened. */
function swallowTap(): void {
  const ended = new AbortController();
  const swallow = (event: TouchEvent) => {
    event.preventDefault();
    ended.abort();
  };
  const { signal } = ended;
  addEventListener("touchend", swallow, { capture: true, passive: false, signal });
  addEventListener("touchcancel", () => ended.abort(), { signal });
}

/** One timer at a time, which ends with the view. */
export function useTimer() {
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
