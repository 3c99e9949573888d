// A dialog over the page: it keeps the focus, and Escape or a press beside it closes it.
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useFocusReturned } from "../browser/openers.ts";
import { laterWithKeys } from "../loading/later.tsx";

export interface DialogProps {
  title: string;
  onClose(): void;
  /** It stays when somebody presses beside it, as something would be lost. */
  isKept?: boolean;
  children: ReactNode;
}

const Overlay = laterWithKeys(async () => (await import("./dialog-overlay.tsx")).DialogOverlay);

/** Loaded when the page is idle, or with the first dialog. */
export function Dialog(props: DialogProps) {
  useFocusReturned();
  return <Overlay {...props} icon={X} />;
}
