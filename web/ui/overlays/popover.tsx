// A sheet beside what opened it, which keeps the focus until it is closed: pickers, cards.
import type { ReactNode, RefObject } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface PopoverProps {
  label: string;
  /** What opened it: it stands beside that, and gives the focus back to it. */
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  placement?: "top end" | "top start" | "bottom end" | "bottom start" | "right top" | "left top";
  children: ReactNode;
}

/** Loaded when the page is idle, or with the first one. */
export const Popover = laterWithKeys<PopoverProps>(
  async () => (await import("./popover-overlay.tsx")).PopoverOverlay,
);
