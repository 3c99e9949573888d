// The lazily loaded part of sheets: React Aria's overlay.
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useBackCloses } from "../navigation/back-closes.ts";
import styles from "./sheet.module.css";
import type { SheetProps } from "./sheet.tsx";

export function SheetOverlay({ label, onClose, children }: SheetProps) {
  useBackCloses(onClose);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.scrim ?? ""}
    >
      <Modal className={styles.sheet ?? ""}>
        <Dialog aria-label={label} className={styles.dialog ?? ""}>
          <div className={styles.grip} aria-hidden="true" />
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
