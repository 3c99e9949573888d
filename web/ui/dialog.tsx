// A dialog over the page: it keeps the focus, and Escape or a press beside it closes it.
import { X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { later } from "./later.tsx";

export interface DialogProps {
  title: string;
  onClose(): void;
  /** It stays when somebody presses beside it, as something would be lost. */
  isKept?: boolean;
  children: ReactNode;
}

const Overlay = later(async () => (await import("./dialog-overlay.tsx")).DialogOverlay);

/** Loaded when the page is idle, or with the first dialog. */
export function Dialog(props: DialogProps) {
  useFocusReturned();
  return <Overlay {...props} icon={X} />;
}

/** React Aria gives the focus back to what had it when the overlay came; that is too late where it had to be loaded. */
function useFocusReturned(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    return () => {
      const giveBack = () => {
        if (document.activeElement !== document.body) return;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      };
      // After React Aria's own turn, which is the next frame.
      requestAnimationFrame(() => requestAnimationFrame(giveBack));
    };
  }, [opener]);
}
