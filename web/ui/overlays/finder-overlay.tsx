// The lazily loaded part of the finder: React Aria's overlay and autocomplete list.
import { Search } from "lucide-react";
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  TextField,
} from "react-aria-components";
import { Icon } from "../controls/icon.tsx";
import { useBackCloses } from "../navigation/back-closes.ts";
import styles from "./finder.module.css";
import type { FinderProps } from "./finder.tsx";

export function FinderOverlay(props: FinderProps) {
  const { label, query, groups, empty, foot, onQuery, onTake, onClose } = props;
  useBackCloses(onClose);
  const hasFound = groups.some(({ found }) => found.length > 0);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.scrim ?? ""}
    >
      <Modal className={styles.sheet ?? ""}>
        <Dialog aria-label={label} className={styles.dialog ?? ""}>
          <Autocomplete inputValue={query} onInputChange={onQuery}>
            <TextField aria-label={label} autoFocus className={styles.ask ?? ""}>
              <Icon of={Search} />
              <Input role="combobox" aria-expanded={hasFound} aria-haspopup="listbox" autoComplete="off" />
              <span aria-hidden="true">
                <kbd>Esc</kbd>
              </span>
            </TextField>
            <div className={styles.found}>
              {/* Outside the list, because React Aria would make it an option. */}
              <p role="status" className={styles.empty} hidden={hasFound}>
                {!hasFound && empty}
              </p>
              <ListBox
                aria-label={label}
                className={styles.list ?? ""}
                style={hasFound ? undefined : { display: "none" }}
                onAction={(id) => onTake(String(id))}
              >
                {groups
                  .filter(({ found }) => found.length > 0)
                  .map(({ id, title, found }) => (
                    <ListBoxSection key={id} id={id}>
                      <Header className={styles.title ?? ""}>{title}</Header>
                      {found.map((each) => (
                        <ListBoxItem
                          key={each.id}
                          id={each.id}
                          textValue={each.name}
                          className={styles.option ?? ""}
                        >
                          <span className={styles.mark}>{each.mark}</span>
                          <span className={styles.text}>{each.text}</span>
                          <span className={styles.end}>{each.end}</span>
                        </ListBoxItem>
                      ))}
                    </ListBoxSection>
                  ))}
              </ListBox>
            </div>
          </Autocomplete>
          <footer className={styles.foot}>{foot}</footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
