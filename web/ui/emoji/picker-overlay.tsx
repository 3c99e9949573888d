// The lazily loaded part of the emoji picker: its popover and content.

import { Popover } from "../overlays/popover.tsx";
import { useWords } from "../words/words.ts";
import type { EmojiPickerProps } from "./emoji-picker.tsx";
import styles from "./picker.module.css";
import { Picker } from "./picker.tsx";

export function EmojiPickerOverlay({ anchor, onPick, onClose }: EmojiPickerProps) {
  const { emoji: words } = useWords();
  return (
    <Popover label={words.emoji} anchor={anchor} onClose={onClose}>
      <div className={styles.room}>
        <Picker onPick={onPick} onClose={onClose} />
      </div>
    </Popover>
  );
}
