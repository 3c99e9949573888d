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
