// Renders the toasts of toast.ts.
import { TriangleAlert } from "lucide-react";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { focusAfter } from "../browser/focus-after.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { useWords } from "../words/words.ts";
import styles from "./toast.module.css";
import { end, shownMs, type Toast, takeAway, useToast } from "./toast.ts";

/** The container of the toasts, mounted once. */
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
