// The lazily loaded part of dialogs: React Aria's overlay.
import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import { Heading, Modal, ModalOverlay, Dialog as Sheet } from "react-aria-components";
import { classNames } from "../browser/class-names.ts";
import { useKeptFocus } from "../browser/kept-focus.ts";
import { IconButton } from "../controls/button.tsx";
import { useBackCloses } from "../navigation/back-closes.ts";
import { useWords } from "../words/words.ts";
import styles from "./dialog.module.css";
import type { DialogProps } from "./dialog.tsx";

export function DialogOverlay({
  title,
  onClose,
  isKept,
  isWide,
  isSlim,
  children,
  icon,
}: DialogProps & { icon: LucideIcon }) {
  const { shell: words } = useWords();
  const part = useRef<HTMLElement>(null);
  useBackCloses(onClose);
  useKeptFocus(part);
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isKept}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.scrim ?? ""}
    >
      <Modal className={classNames(styles.sheet, isWide && styles.wide, isSlim && styles.slim)}>
        <Sheet ref={part} className={styles.dialog ?? ""}>
          <header className={styles.head}>
            <Heading slot="title">{title}</Heading>
            <IconButton label={words.close} icon={icon} onClick={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
        </Sheet>
      </Modal>
    </ModalOverlay>
  );
}
