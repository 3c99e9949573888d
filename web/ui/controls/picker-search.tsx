// The field at the head of a picker: it has the focus and the keys, and points at what Enter would take.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./picker-search.module.css";

interface Props {
  value: string;
  label: string;
  /** The element that shows what was found, and what kind of one it is. */
  resultsId: string;
  resultsRole: "grid" | "listbox";
  /** What Enter would take; undefined where nothing was found. */
  activeId: string | undefined;
  maxLength?: number;
  onChange(text: string): void;
  onKeyDown(event: KeyboardEvent): void;
  /** Stands beside the field. */
  children?: ReactNode;
}

export function PickerSearch({
  resultsId,
  resultsRole,
  activeId,
  label,
  onChange,
  children,
  ...more
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.ask}>
      <input
        {...more}
        ref={input}
        role="combobox"
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-haspopup={resultsRole}
        aria-expanded="true"
        aria-controls={resultsId}
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {children}
    </div>
  );
}
