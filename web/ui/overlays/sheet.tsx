// A sheet from the lower edge of the page: what menus are for fingers.
import type { ReactNode } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface SheetProps {
  label: string;
  onClose(): void;
  children: ReactNode;
}

/** Loaded when the page is idle, or with the first sheet. */
export const Sheet = laterWithKeys<SheetProps>(
  async () => (await import("./sheet-overlay.tsx")).SheetOverlay,
);
