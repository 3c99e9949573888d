// A line at the lower edge of the page: for undoing, and for what failed elsewhere. One at a time, and never for success.
import { TriangleAlert } from "lucide-react";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { create } from "zustand";
import { Button } from "./button.tsx";
import { focusAfter } from "./focus-after.ts";
import { Icon } from "./icon.tsx";
import styles from "./toast.module.css";
import { useWords } from "./words.ts";

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

const shownMs = 6000;

/** `number` tells one from the next, also where both say the same. */
const useToast = create<{ toast: Toast | undefined; number: number }>(() => ({
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
function takeAway(toast: Toast): void {
  if (standing === toast) standing = undefined;
  useToast.setState(({ number }) => ({ toast: standing, number: number + 1 }));
}

/** Where the lines appear; the page has one such place. */
export function Toasts() {
  const { shell: words } = useWords();
  const { toast, number } = useToast();
  return (
    <section aria-label={words.notices} className={styles.place} data-region="toast">
      <div role="status">{toast && !toast.isAlert && <Line key={number} toast={toast} />}</div>
      <div role="alert">{toast?.isAlert && <Line key={number} toast={toast} />}</div>
    </section>
  );
}

function Line({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const opener = useRef<Element | null>(null);
  const { forMs = shownMs, action, dismissLabel, isAlert, text } = toast;
  useEffect(() => {
    if (isHeld || forMs === 0) return;
    const timer = setTimeout(() => end(toast), forMs);
    return () => clearTimeout(timer);
  }, [isHeld, forMs, toast]);
  useUndoKey(toast);
  function leave(act = () => {}) {
    takeAway(toast);
    act();
    focusAfter(opener.current?.isConnected ? opener.current : document.querySelector("main textarea"));
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding it is no action of its own.
    <div
      className={styles.line}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={(event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) opener.current = event.relatedTarget;
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
    >
      {isAlert && <Icon of={TriangleAlert} size={16} />}
      <span>{text}</span>
      {action && (
        <Button kind="quiet" isSmall onClick={() => leave(action.run)}>
          {action.label}
        </Button>
      )}
      {dismissLabel && (
        <Button kind="quiet" isSmall onClick={() => leave()}>
          {dismissLabel}
        </Button>
      )}
    </div>
  );
}

/** Ctrl+Z takes back what the line offers to take back, but where one writes: there it is the text's. */
function useUndoKey(toast: Toast): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if (event.target instanceof Element && event.target.closest("textarea, input")) return;
      event.preventDefault();
      takeAway(toast);
      toast.action?.run();
    }
    if (toast.action?.isUndo) addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [toast]);
}

function end(toast: Toast): void {
  if (useToast.getState().toast !== toast) return;
  takeAway(toast);
  toast.onGone?.();
}
