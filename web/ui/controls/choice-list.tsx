// A list of which several can be chosen: arrow keys walk, Space and Enter choose.
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import styles from "./choice-list.module.css";
import { Icon } from "./icon.tsx";

interface Choosable {
  id: string;
  name: ReactNode;
  /** A swatch or a face. */
  mark?: ReactNode;
  /** A short fact at the end of the row. */
  end?: ReactNode;
  isChosen: boolean;
  /** The reason why it cannot be chosen; it can be walked to, and shows the reason. */
  disabledBecause?: string | undefined;
}

interface Props {
  label: string;
  options: readonly Choosable[];
  onToggle(id: string): void;
}

export function ChoiceList({ label, options, onToggle }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const at = Math.min(stop, options.length - 1);
  function goTo(index: number) {
    const next = Math.max(0, Math.min(options.length - 1, index));
    setStop(next);
    list.current?.querySelectorAll<HTMLElement>("[role=option]")[next]?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: options.length,
    };
    const next = steps[key];
    const option = options[at];
    if (next !== undefined) goTo(next);
    else if ((key === " " || key === "Enter") && option) toggle(option);
    else return;
    event.preventDefault();
  }
  function toggle(option: Choosable) {
    if (option.disabledBecause === undefined) onToggle(option.id);
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      className={styles.list}
      onKeyDown={onKeyDown}
    >
      {options.map((option, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys.
        <div
          key={option.id}
          id={`${id}-${option.id}`}
          role="option"
          aria-selected={option.isChosen}
          aria-disabled={option.disabledBecause !== undefined || undefined}
          title={option.disabledBecause}
          tabIndex={i === at ? 0 : -1}
          className={styles.option}
          onFocus={() => setStop(i)}
          onClick={() => toggle(option)}
        >
          <span className={styles.box}>{option.isChosen && <Icon of={Check} size={14} />}</span>
          {option.mark}
          <span className={styles.name}>{option.name}</span>
          {option.end != null && <span className={styles.end}>{option.end}</span>}
        </div>
      ))}
    </div>
  );
}
