// Swiping back on a phone: the pane follows the finger, and far enough it leads to the pane before.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { back } from "../ui/browser/panel.ts";
import { changedByHand } from "./pane-change.ts";

/** So far, in pixels, a finger wanders without meaning anything. */
const slackPx = 12;
/** So much of the width has to be swiped. */
const enough = 0.33;

/** A pane that nothing took the place of comes back after so many milliseconds. */
const leftMs = 600;

interface Swipe {
  x: number;
  y: number;
  /** Undecided at first: the finger may scroll. */
  isSwipe: boolean;
}

interface Props {
  pane: RefObject<HTMLElement | null>;
  /** What is shown: another one stands where it belongs, wherever a finger has left the one before. */
  shown: string;
  hasPanel: boolean;
}

/** A swipe leads from the members to the room, and from the room to the channels. */
export function SwipeBack({ pane, shown, hasPanel }: Props): null {
  const isNarrow = useFrameWidth() === "narrow";
  const [path, navigate] = useLocation();
  const [home] = /^\/servers\/[^/]+/.exec(path) ?? [];
  const isInRoom = home !== undefined && path !== home;
  useSwipeBack(pane, isNarrow && isInRoom, () =>
    back(() => navigate(hasPanel ? path : (home ?? "/"), { replace: true }), true),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is what brings the pane back.
  useLayoutEffect(() => {
    if (pane.current) pane.current.style.transform = "";
  }, [shown, pane]);
  return null;
}

function useSwipeBack(pane: RefObject<HTMLElement | null>, isOn: boolean, onBack: () => void): void {
  // It outlasts a room that is drawn again while the finger is on its way.
  const begun = useRef<Swipe>(undefined);
  useEffect(() => {
    const element = pane.current;
    if (!isOn || !element) return;
    const direction = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    const moveTo = (px: number) => {
      element.style.transform = px > 0 ? `translateX(${px * direction}px)` : "";
    };
    let comingBack: ReturnType<typeof setTimeout> | undefined;
    const start = ({ touches, target }: TouchEvent) => {
      clearTimeout(comingBack);
      const [touch] = touches;
      const isFree = touches.length === 1 && target instanceof Element && !target.closest(ownUse);
      begun.current = touch && isFree ? { x: touch.clientX, y: touch.clientY, isSwipe: false } : undefined;
      if (!begun.current || !target) return;
      // What lies below the finger may be drawn anew meanwhile: its own events are all that is heard of it then.
      for (const [kind, hear] of heard) target.addEventListener(kind, hear, { passive: true });
    };
    const move = ({ touches: [touch] }: TouchEvent) => {
      const swipe = begun.current;
      if (!swipe || !touch) return;
      const far = (touch.clientX - swipe.x) * direction;
      if (!swipe.isSwipe) {
        const across = Math.abs(touch.clientY - swipe.y);
        if (across > slackPx || far < -slackPx) begun.current = undefined;
        else if (far > slackPx && far > 2 * across) swipe.isSwipe = true;
        return;
      }
      moveTo(far);
    };
    const end = ({ changedTouches: [touch], currentTarget }: TouchEvent) => {
      unhear(heard, currentTarget);
      const swipe = begun.current;
      const far = swipe?.isSwipe && touch ? (touch.clientX - swipe.x) * direction : 0;
      begun.current = undefined;
      if (far <= element.clientWidth * enough) return moveTo(0);
      // It stays where the finger has left it, till another pane is there.
      comingBack = setTimeout(() => moveTo(0), leftMs);
      changedByHand();
      onBack();
    };
    const cancel = ({ currentTarget }: Event) => {
      unhear(heard, currentTarget);
      begun.current = undefined;
      moveTo(0);
    };
    const heard = Object.entries({ touchmove: move, touchend: end, touchcancel: cancel }) as Heard;
    element.addEventListener("touchstart", start, { passive: true });
    return () => element.removeEventListener("touchstart", start);
  });
}

type Heard = [string, EventListener][];

function unhear(heard: Heard, target: EventTarget | null): void {
  for (const [kind, hear] of heard) target?.removeEventListener(kind, hear);
}

/** Code and sliders have a use of their own for the finger. */
const ownUse = "pre, input, textarea, [role=slider]";
