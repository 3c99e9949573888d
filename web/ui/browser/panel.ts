// Whether the members stand beside the room: on a wide frame a choice that is kept, on a middle one they lie over the
// room for a while, and on a phone they are a pane of their own with an entry in the history.
import { useLocation, useSearchParams } from "wouter";
import { create } from "zustand";
import { useFrameWidth } from "./frame-width.ts";
import { keep, kept } from "./kept.ts";

const key = "members";

const usePanels = create(() => ({ isBeside: kept<boolean>(key) ?? true, isOver: false }));

export interface Panel {
  isShown: boolean;
  toggle(): void;
  close(): void;
}

export function useMembersPanel(): Panel {
  const width = useFrameWidth();
  const { isBeside, isOver } = usePanels();
  const [shown, show, hide] = useShown();
  if (width === "narrow") {
    const isShown = shown === key;
    return { isShown, toggle: () => (isShown ? hide() : show(key)), close: hide };
  }
  if (width === "middle") {
    return { isShown: isOver, toggle: () => setOver(!isOver), close: () => setOver(false) };
  }
  return { isShown: isBeside, toggle: () => setBeside(!isBeside), close: () => setBeside(false) };
}

/** Focus that was in the panel goes to the button that opens it. */
export function leavePanel(close: () => void): void {
  const isInside = document.activeElement?.closest("[data-region=panel]") != null;
  close();
  if (isInside)
    requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-toggles=members]")?.focus());
}

/** What an address shows instead of its channel: on a phone the members, everywhere the mentions. */
export function useShown(): [string | undefined, (what: string) => void, () => void] {
  const [parameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const show = (what: string) => navigate(`${path}?show=${what}`, { state: { isFromHere: true } });
  const hide = () => back(() => navigate(path, { replace: true }));
  return [parameters.get("show") ?? undefined, show, hide];
}

/** A step back that the browser has not done yet: pressed twice meanwhile, it is one all the same. */
const stepMs = 300;
let lastBackAt = -stepMs;
let isUnderWay = false;
// After a step forward, which the router tells of, going back is another step, however soon.
addEventListener("pushState", () => {
  lastBackAt = -stepMs;
});
const done = () => {
  isUnderWay = false;
};
addEventListener("popstate", done, true);

/**
 * Goes back in the history, where one came from this page; else `otherwise`. A finger that swipes again means the pane
 * that is there by then, so that it waits for nothing but the step before.
 */
export function back(otherwise: () => void, isByFinger?: boolean): void {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("isFromHere" in state)) {
    otherwise();
    return;
  }
  const now = performance.now();
  if (now - lastBackAt < stepMs && (isUnderWay || !isByFinger)) return;
  lastBackAt = now;
  isUnderWay = true;
  history.back();
}

function setOver(isOver: boolean): void {
  usePanels.setState({ isOver });
}

function setBeside(isBeside: boolean): void {
  keep(key, isBeside);
  usePanels.setState({ isBeside });
}
