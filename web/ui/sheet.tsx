// A sheet from the lower edge of the page: what menus are for fingers.
import type { ReactNode } from "react";
import { later } from "./later.tsx";

export interface SheetProps {
  label: string;
  onClose(): void;
  children: ReactNode;
}

const Overlay = later(async () => (await import("./sheet-overlay.tsx")).SheetOverlay);

/** Loaded when the page is idle, or with the first sheet. */
export function Sheet(props: SheetProps) {
  return <Overlay {...props} />;
}
