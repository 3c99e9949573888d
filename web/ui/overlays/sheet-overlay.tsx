// The lazily loaded part of sheets: React Aria's overlay.
import { useRef } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useKeptFocus } from "../browser/kept-focus.ts";
import { useBackCloses } from "../navigation/back-closes.ts";
import styles from "./sheet.module.css";
import type { SheetProps } from "./sheet.tsx";

export function SheetOverlay({ label, onClose, children }: SheetProps) {
  const part = useRef<HTMLElement>(null);
  useBackCloses(onClose);
  useKeptFocus(part);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.scrim ?? ""}
    >
      <Modal className={styles.sheet ?? ""}>
        <Dialog ref={part} aria-label={label} className={styles.dialog ?? ""}>
          <div className={styles.grip} aria-hidden="true" />
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
