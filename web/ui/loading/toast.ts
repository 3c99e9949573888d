// A line at the lower edge of the page: for undoing, and for what failed elsewhere. One at a time, and never for success.
import { create } from "zustand";

export interface Toast {
  text: string;
  /** Something failed. */
  isAlert?: boolean;
  /** Ctrl+Z does it, too, where it takes back what was just done. */
  action?: { label: string; run(): void; isUndo?: boolean };
  /** Of the button that takes a line away which would stay. */
  dismissLabel?: string;
  /** 6 s, if it does not say otherwise; 0: until it is used, and it comes back after others that take its place. */
  forMs?: number;
  /** Its time is over, or another one takes its place; not when its action was used. */
  onGone?(): void;
}

export const shownMs = 6000;

/** `number` tells one from the next, also where both say the same. */
export const useToast = create<{ toast: Toast | undefined; number: number }>(() => ({
  toast: undefined,
  number: 0,
}));

/** The line that stays until it is used. */
let standing: Toast | undefined;

/** Shows a line in the place of the one before. Returns the function that takes it away. */
export function showToast(toast: Toast): () => void {
  const { toast: before } = useToast.getState();
  if (before !== standing) before?.onGone?.();
  if (toast.forMs === 0) standing = toast;
  useToast.setState(({ number }) => ({ toast, number: number + 1 }));
  return () => end(toast);
}

/** The line goes; the one that stays comes back. */
export function takeAway(toast: Toast): void {
  if (standing === toast) standing = undefined;
  useToast.setState(({ number }) => ({ toast: standing, number: number + 1 }));
}

/** Its time is over. */
export function end(toast: Toast): void {
  if (useToast.getState().toast !== toast) return;
  takeAway(toast);
  toast.onGone?.();
}

// Not where the line is drawn: that may come later than the key, which follows what it takes back at once.
useToast.subscribe(({ toast }) => {
  if (toast?.action?.isUndo) addEventListener("keydown", undo);
  else removeEventListener("keydown", undo);
});

/** Ctrl+Z takes back what the line offers to take back, but where one writes: there it is the text's. */
function undo(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
  if (event.target instanceof Element && event.target.closest("textarea, input")) return;
  const { toast } = useToast.getState();
  if (!toast) return;
  event.preventDefault();
  takeAway(toast);
  toast.action?.run();
}
