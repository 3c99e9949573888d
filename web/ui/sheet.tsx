// A sheet from the lower edge of the page: what menus are for fingers.
import { type ReactNode, Suspense } from "react";
import { lazily } from "./lazily.ts";

export interface SheetProps {
  label: string;
  onClose(): void;
  children: ReactNode;
}

const Overlay = lazily(() => import("./sheet-overlay.tsx"));

/** Loaded when the page is idle, or with the first sheet. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense>
      <Overlay {...props} />
    </Suspense>
  );
}
