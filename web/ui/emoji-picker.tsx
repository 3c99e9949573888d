// The emoji to choose from, beside what asked for one. The list is loaded with the first picker.
import { type RefObject, Suspense } from "react";
import styles from "./emoji/picker.module.css";
import { lazily } from "./lazily.ts";
import { Popover, preparePopover } from "./popover.tsx";
import { whenQuiet } from "./quiet.ts";
import { useWords } from "./words.ts";

interface Props {
  anchor: RefObject<HTMLElement | null>;
  /** With Shift and Enter the picker stays, and this is called again. */
  onPick(emoji: string): void;
  onClose(): void;
}

const load = () => import("./emoji/picker.tsx");
const Inside = lazily(load);

/** Loads what a picker is made of once the page is quiet; without it the first one does. */
export function prepareEmojiPicker(): void {
  whenQuiet(() => {
    preparePopover();
    load().catch(() => {});
  });
}

export function EmojiPicker({ anchor, onPick, onClose }: Props) {
  const { emoji: words } = useWords();
  return (
    <Popover label={words.emoji} anchor={anchor} onClose={onClose}>
      <div className={styles.room}>
        <Suspense>
          <Inside onPick={onPick} onClose={onClose} />
        </Suspense>
      </div>
    </Popover>
  );
}
