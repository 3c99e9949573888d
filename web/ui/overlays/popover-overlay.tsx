// The lazily loaded part of popovers: React Aria's popover, which positions itself and traps the focus.
import { Popover as Overlay, Dialog as Sheet } from "react-aria-components";
import { useBackCloses } from "../navigation/back-closes.ts";
import styles from "./popover.module.css";
import type { PopoverProps } from "./popover.tsx";

export function PopoverOverlay({ label, anchor, onClose, placement = "top end", children }: PopoverProps) {
  useBackCloses(onClose);
  return (
    <Overlay
      isOpen
      triggerRef={anchor}
      placement={placement}
      offset={6}
      containerPadding={8}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.sheet ?? ""}
    >
      <Sheet aria-label={label} className={styles.inside ?? ""}>
        {children}
      </Sheet>
    </Overlay>
  );
}
