// The emoji to choose from, beside what asked for one.
import type { RefObject } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface EmojiPickerProps {
  anchor: RefObject<HTMLElement | null>;
  /** With Shift and Enter the picker stays, and this is called again. */
  onPick(emoji: string): void;
  onClose(): void;
}

/** Loaded when the page is idle, or with the first one. */
export const EmojiPicker = laterWithKeys<EmojiPickerProps>(
  async () => (await import("./picker-overlay.tsx")).EmojiPickerOverlay,
);
