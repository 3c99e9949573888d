// What can be done with a message, as a menu where the pointer is.
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
  /** Within the row. */
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
  // The menu is closed, and its anchor gone, before what was chosen is done.
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
