// A bottom sheet, the touch counterpart of a menu.
import type { ReactNode } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface SheetProps {
  label: string;
  onClose(): void;
  children: ReactNode;
}

/** Loaded when the page is idle, or on first use. */
export const Sheet = laterWithKeys<SheetProps>(
  async () => (await import("./sheet-overlay.tsx")).SheetOverlay,
);
