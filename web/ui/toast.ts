// A line at the lower edge of the page: for undoing, and for what failed elsewhere. One at a time, and never for success.
import { create } from "zustand";

export interface Toast {
  text: string;
  /** Something failed. */
  isAlert?: boolean;
  action?: { label: string; run(): void };
  /** 6 s, if it does not say otherwise; 0: until it is used. */
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

/** Shows a line in the place of the one before. Returns the function that takes it away. */
export function showToast(toast: Toast): () => void {
  useToast.getState().toast?.onGone?.();
  useToast.setState(({ number }) => ({ toast, number: number + 1 }));
  return () => end(toast);
}

/** Takes a line away, if it is the one that is shown. */
export function end(toast: Toast): void {
  if (useToast.getState().toast !== toast) return;
  useToast.setState({ toast: undefined });
  toast.onGone?.();
}
