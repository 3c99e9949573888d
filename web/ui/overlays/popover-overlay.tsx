// The lazily loaded part of popovers: React Aria's popover, which positions itself and traps the focus.
import { useRef } from "react";
import { Popover as Overlay, Dialog as Sheet } from "react-aria-components";
import { classNames } from "../browser/class-names.ts";
import { useKeptFocus } from "../browser/kept-focus.ts";
import { useBackCloses } from "../navigation/back-closes.ts";
import { useAnchored } from "./anchored.ts";
import floating from "./floating.module.css";
import styles from "./popover.module.css";
import type { PopoverProps } from "./popover.tsx";

export function PopoverOverlay({ label, anchor, onClose, placement = "top end", children }: PopoverProps) {
  const part = useRef<HTMLElement>(null);
  const anchored = useAnchored(anchor);
  useBackCloses(onClose);
  useKeptFocus(part);
  return (
    <Overlay
      isOpen
      triggerRef={anchored}
      placement={placement}
      offset={6}
      containerPadding={8}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={classNames(floating.card, styles.sheet)}
      data-title={label}
    >
      <Sheet ref={part} aria-label={label} className={styles.inside ?? ""}>
        {children}
      </Sheet>
    </Overlay>
  );
}
