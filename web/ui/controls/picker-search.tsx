// The search field of a picker: it has the focus and handles the keys, and points at the item that Enter would take.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./picker-search.module.css";

interface Props {
  value: string;
  label: string;
  /** The id and the role of the element with the results. */
  resultsId: string;
  resultsRole: "grid" | "listbox";
  /** The id of the item that Enter would take; undefined without results. */
  activeId: string | undefined;
  maxLength?: number;
  onChange(text: string): void;
  onKeyDown(event: KeyboardEvent): void;
  /** Content beside the field. */
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
