// A spoiler: text that stays hidden until the reader reveals it.
import { type ReactNode, useRef, useState } from "react";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "./prose.module.css";

export function Spoiler({ children }: { children: ReactNode }) {
  const { messages: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  const told = useRef<HTMLSpanElement>(null);
  if (isOpen) {
    return (
      <span ref={told} tabIndex={-1} className={styles.told}>
        {children}
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-label={words.showSpoiler}
      title={words.showSpoiler}
      className={styles.spoiler}
      onClick={() => {
        setOpen(true);
        requestAnimationFrame(() => told.current?.focus({ preventScroll: true }));
      }}
    >
      <span aria-hidden="true" inert>
        {children}
      </span>
    </button>
  );
}
