// Swiping back on a phone: the pane follows the finger, and a long enough swipe leads to the previous pane.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { back } from "../ui/browser/panel.ts";
import { changedByHand } from "./pane-change.ts";
import { usePaneFocus } from "./pane-focus.ts";

/** How far a finger may move before it counts as a gesture, in pixels. */
const slackPx = 12;
/** The share of the width that has to be swiped. */
const enough = 0.33;

/** How long until a swiped pane returns when no other pane has replaced it, in milliseconds. */
const leftMs = 600;

interface Swipe {
  x: number;
  y: number;
  /** False at first: the gesture may turn out to be a scroll. */
  isSwipe: boolean;
}

interface Props {
  pane: RefObject<HTMLElement | null>;
  /** The shown pane. When it changes, the offset that a finger has left is reset. */
  shown: string;
  hasPanel: boolean;
}

/** Swiping leads from the members to the room, and from the room to the channels. */
export function SwipeBack({ pane, shown, hasPanel }: Props): null {
  const isNarrow = useFrameWidth() === "narrow";
  usePaneFocus(pane, isNarrow ? shown : "", hasPanel);
  const [path, navigate] = useLocation();
  const [home] = /^\/(servers\/[^/]+|direct)/.exec(path) ?? [];
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
  // A ref, so that the swipe survives a render of the room.
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
      // The touched element may be removed meanwhile: its touch events then reach only listeners on itself.
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
      // Stays where the finger has left it until another pane is shown.
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

/** Elements with their own horizontal gestures: code, fields and sliders. */
const ownUse = "pre, input, textarea, [role=slider]";
