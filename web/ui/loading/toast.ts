// Toasts at the lower edge of the page, for undo and for failures elsewhere. One at a time, and never for success.
import { create } from "zustand";

export interface Toast {
  text: string;
  /** The toast reports a failure. */
  isAlert?: boolean;
  /** With `isUndo`, Ctrl+Z runs it, too. */
  action?: { label: string; run(): void; isUndo?: boolean };
  /** The label of the button that dismisses a persistent toast. */
  dismissLabel?: string;
  /** Milliseconds, 6000 by default. 0 makes it persistent: it stays until used, and returns after other toasts. */
  forMs?: number;
  /** Called when the time is over or another toast replaces it, but not after its action. */
  onGone?(): void;
}

export const shownMs = 6000;

/** `number` distinguishes consecutive toasts, also those with the same text. */
export const useToast = create<{ toast: Toast | undefined; number: number }>(() => ({
  toast: undefined,
  number: 0,
}));

/** The persistent toast. */
let standing: Toast | undefined;

/**
 * Shows a toast in place of the current one; a persistent one waits until what can be undone is over. Returns the
 * function that removes it.
 */
export function showToast(toast: Toast): () => void {
  const { toast: before } = useToast.getState();
  const isWaiting = toast.forMs === 0 && before?.action?.isUndo;
  if (before !== standing && !isWaiting) before?.onGone?.();
  if (toast.forMs === 0) standing = toast;
  if (!isWaiting) useToast.setState(({ number }) => ({ toast, number: number + 1 }));
  return () => end(toast);
}

/** Removes a toast, and shows the persistent one again. */
export function takeAway(toast: Toast): void {
  if (standing === toast) standing = undefined;
  useToast.setState(({ number }) => ({ toast: standing, number: number + 1 }));
}

/** Ends a toast whose time is over. */
export function end(toast: Toast): void {
  if (useToast.getState().toast === toast) {
    takeAway(toast);
    toast.onGone?.();
  } else if (standing === toast) standing = undefined;
}

// Not in the view, which may be rendered too late for a key that is pressed right after the action.
useToast.subscribe(({ toast }) => {
  if (toast?.action?.isUndo) addEventListener("keydown", undo);
  else removeEventListener("keydown", undo);
});

/** Runs the toast's undo on Ctrl+Z, except in text fields, which have their own undo. */
function undo(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
  if (event.target instanceof Element && event.target.closest("textarea, input")) return;
  const { toast } = useToast.getState();
  if (!toast) return;
  event.preventDefault();
  takeAway(toast);
  toast.action?.run();
}
