// Whether the members are shown: beside the room on a wide frame, by a stored choice; over it on a middle one; and on
// a phone as a separate pane with an entry in the history.
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

/** Closes the panel from inside or by a press on its scrim, and moves the focus to the button that opens it. */
export function leavePanel(close: () => void): void {
  close();
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-toggles=members]")?.focus());
}

/** Returns what an address shows instead of its channel: the mentions, or on a phone the members. */
export function useShown(): [string | undefined, (what: string) => void, () => void] {
  const [parameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const show = (what: string) => navigate(`${path}?show=${what}`, { state: { isFromHere: true } });
  const hide = () => back(() => navigate(path, { replace: true }));
  return [parameters.get("show") ?? undefined, show, hide];
}

/** How long a second press counts as the same step back, in milliseconds: the browser may still be busy with it. */
const stepMs = 300;
let lastBackAt = -stepMs;
let isUnderWay = false;
// After a step forward, which the router announces, going back is a new step, however soon.
addEventListener("pushState", () => {
  lastBackAt = -stepMs;
});
const done = () => {
  isUnderWay = false;
};
addEventListener("popstate", done, true);

/**
 * Goes back in the history if the previous entry is of this page; else calls `otherwise`. A press that comes soon after
 * another one is taken for a part of it; one that can only be meant for the pane shown by then (`isForShown`: a swipe, a
 * control that the pane before did not have) is dropped only while the previous step is pending.
 */
export function back(otherwise: () => void, isForShown?: boolean): void {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("isFromHere" in state)) {
    otherwise();
    return;
  }
  const now = performance.now();
  if (now - lastBackAt < stepMs && (isUnderWay || !isForShown)) return;
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
