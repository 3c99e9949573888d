// A modal dialog, which Escape or a press outside closes.
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useFocusReturned } from "../browser/openers.ts";
import { laterWithKeys } from "../loading/later.tsx";

export interface DialogProps {
  title: string;
  onClose(): void;
  /** A press outside does not close it, because something would be lost. */
  isKept?: boolean;
  /** For steps, or a picture. */
  isWide?: boolean;
  /** For a single list. */
  isSlim?: boolean;
  children: ReactNode;
}

const Overlay = laterWithKeys(async () => (await import("./dialog-overlay.tsx")).DialogOverlay);

/** Its overlay is loaded when the page is idle, or with the first dialog. */
export function Dialog(props: DialogProps) {
  useFocusReturned();
  return <Overlay {...props} icon={X} />;
}
