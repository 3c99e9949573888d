// The emoji picker, shown beside its opener.
import type { RefObject } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface EmojiPickerProps {
  anchor: RefObject<HTMLElement | null>;
  /** With Shift the picker stays open, and this may be called again. */
  onPick(emoji: string): void;
  onClose(): void;
}

/** Loaded when the page is idle, or on first use. */
export const EmojiPicker = laterWithKeys<EmojiPickerProps>(
  async () => (await import("./picker-overlay.tsx")).EmojiPickerOverlay,
);
