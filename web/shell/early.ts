// Loads what dialogs, menus and cards are made of once the page is quiet, before the first is opened.
import { whenQuiet } from "../ui/quiet.ts";

const parts = [
  () => import("../ui/menu-overlay.tsx"),
  () => import("../ui/dialog-overlay.tsx"),
  () => import("../ui/popover-overlay.tsx"),
  () => import("../ui/sheet-overlay.tsx"),
  () => import("../ui/finder-overlay.tsx"),
];

export function loadOverlays(): void {
  // What cannot be had now is asked for again with its first use.
  whenQuiet(() => void Promise.allSettled(parts.map((part) => part())));
}
