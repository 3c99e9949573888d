// A popover beside its opener, which traps the focus until it is closed: for pickers and cards.
import type { ReactNode, RefObject } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface PopoverProps {
  label: string;
  /** The opener: the popover is placed beside it, and restores the focus to it. */
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  placement?: "top end" | "top start" | "bottom end" | "bottom start" | "right top" | "left top";
  children: ReactNode;
}

/** Loaded when the page is idle, or on first use. */
export const Popover = laterWithKeys<PopoverProps>(
  async () => (await import("./popover-overlay.tsx")).PopoverOverlay,
);
