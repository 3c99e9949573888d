// Swiping back on a phone: the pane follows the finger, and far enough it leads to the pane before.
import { type RefObject, useEffect, useRef } from "react";

/** So far, in pixels, a finger wanders without meaning anything. */
const slackPx = 12;
/** So much of the width has to be swiped. */
const enough = 0.33;

interface Swipe {
  x: number;
  y: number;
  /** Undecided at first: the finger may scroll. */
  isSwipe: boolean;
}

export function useSwipeBack(pane: RefObject<HTMLElement | null>, isOn: boolean, onBack: () => void): void {
  // It outlasts a room that is drawn again while the finger is on its way.
  const begun = useRef<Swipe>(undefined);
  useEffect(() => {
    const element = pane.current;
    if (!isOn || !element) return;
    const direction = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    const moveTo = (px: number) => {
      element.style.transform = px > 0 ? `translateX(${px * direction}px)` : "";
    };
    const start = ({ touches, target }: TouchEvent) => {
      const [touch] = touches;
      const isFree = touches.length === 1 && target instanceof Element && !target.closest(ownUse);
      begun.current = touch && isFree ? { x: touch.clientX, y: touch.clientY, isSwipe: false } : undefined;
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
    const end = ({ changedTouches: [touch] }: TouchEvent) => {
      const swipe = begun.current;
      const far = swipe?.isSwipe && touch ? (touch.clientX - swipe.x) * direction : 0;
      begun.current = undefined;
      moveTo(0);
      if (far > element.clientWidth * enough) onBack();
    };
    const cancel = () => {
      begun.current = undefined;
      moveTo(0);
    };
    element.addEventListener("touchstart", start, { passive: true });
    element.addEventListener("touchmove", move, { passive: true });
    element.addEventListener("touchend", end);
    element.addEventListener("touchcancel", cancel);
    return () => {
      element.removeEventListener("touchstart", start);
      element.removeEventListener("touchmove", move);
      element.removeEventListener("touchend", end);
      element.removeEventListener("touchcancel", cancel);
    };
  });
}

/** Code and sliders have a use of their own for the finger. */
const ownUse = "pre, input, textarea, [role=slider]";
