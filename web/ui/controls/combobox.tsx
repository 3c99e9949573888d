// A field that finds one of many by its name: what fits stands below it, arrow keys choose, Enter takes.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { afterPress } from "../browser/after-press.ts";
import { isComposing } from "../browser/input-method.ts";
import { isEscape } from "../keys/keys.ts";
import styles from "./combobox.module.css";
import entry from "./entry.module.css";

interface ComboOption {
  id: string;
  name: ReactNode;
  /** A swatch or a face. */
  mark?: ReactNode;
  /** A short fact at the end of the row. */
  end?: ReactNode;
}

interface Props {
  label: string;
  /** By default the label, where no other words name the field. */
  placeholder?: string;
  autoFocus?: boolean;
  query: string;
  options: readonly ComboOption[];
  onQuery(query: string): void;
  onTake(id: string): void;
  /** Called by an Escape that has no list to close. */
  onLeave?(): void;
}

export function Combobox(props: Props) {
  const { label, placeholder = label, autoFocus = false, query, options, onQuery, onTake, onLeave } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosenId, setChosenId] = useState<string>();
  const found = options.findIndex((option) => option.id === chosenId);
  const active = Math.max(found, 0);
  // The mark stays with its option while others come and go around it. Where that is gone, the first one gets it.
  if (options[active]?.id !== chosenId) setChosenId(options[active]?.id);
  const isShown = isOpen && options.length > 0;
  const nameOf = (option: ComboOption) => `${id}-${option.id}`;
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[active];
    if (step && !isShown) setOpen(true);
    else if (step) setChosenId(options[(active + step + options.length) % options.length]?.id);
    else if (event.key === "Enter") {
      // In a form, Enter would send that.
      if (isShown && option) take(option.id);
    } else if (isShown && isEscape(event)) setOpen(false);
    else if (onLeave && isEscape(event)) onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function take(taken: string) {
    onTake(taken);
    setChosenId(undefined);
  }
  return (
    <div className={styles.with}>
      <input
        role="combobox"
        aria-label={label}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && options[active] ? nameOf(options[active]) : undefined}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: its dialogs were opened for it.
        autoFocus={autoFocus}
        spellCheck={false}
        value={query}
        className={entry.input}
        onFocus={() => setOpen(true)}
        // The list stands above the buttons of its form: while one of them is pressed, it stays.
        onBlur={({ currentTarget }) =>
          afterPress(() => document.activeElement !== currentTarget && setOpen(false))
        }
        onChange={({ target }) => {
          onQuery(target.value);
          setChosenId(undefined);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isShown} className={styles.list}>
        {options.map((option, i) => (
          <Option
            key={option.id}
            id={nameOf(option)}
            option={option}
            isActive={i === active}
            onTake={() => take(option.id)}
          />
        ))}
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  option: ComboOption;
  isActive: boolean;
  onTake(): void;
}

function Option({ id, option: { mark, name, end }, isActive, onTake }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={styles.option}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {mark}
      <span className={styles.name}>{name}</span>
      {end != null && <span className={styles.end}>{end}</span>}
    </div>
  );
}
