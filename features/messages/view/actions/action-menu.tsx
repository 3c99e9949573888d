// The actions on a message as a context menu at the pointer.
import { useLayoutEffect, useRef } from "react";
import { MenuOverlay } from "../../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import styles from "./actions.module.css";
import { menuItems } from "./menu-items.ts";
import type { Place } from "./row-actions.ts";
import { useVerbs } from "./subject.ts";

interface Props {
  message: Message;
  /** Relative to the row. */
  at: Place;
  onClose(): void;
}

export function ActionMenu({ message, at, onClose }: Props) {
  const words = useWords();
  const { applying, act } = useVerbs(message);
  const anchor = useRef<HTMLSpanElement>(null);
  const row = useRef<HTMLElement>(null);
  const items = menuItems(applying, words, (verb) => {
    if (row.current) act(verb, { row: row.current, opener: row.current, isAtOnce: false });
  });
  // Closes the menu and removes its anchor before the chosen action runs.
  useLayoutEffect(() => {
    row.current = anchor.current?.closest("article") ?? null;
  }, []);
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: at.x, top: at.y }} />
      <MenuOverlay
        label={words.messages.actions}
        items={items}
        anchor={anchor}
        placement="bottom start"
        onClose={onClose}
      />
    </>
  );
}
