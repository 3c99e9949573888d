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
  function walk(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: options.length,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    goTo(next);
    event.preventDefault();
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      className={styles.list}
      onKeyDown={walk}
    >
      {options.map((option, i) => (
        <Option
          key={option.id}
          id={`${id}-${option.id}`}
          option={option}
          isStop={i === at}
          onStop={() => setStop(i)}
          onToggle={() => onToggle(option.id)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  option: Choosable;
  /** True if this option is the list's only tab stop. */
  isStop: boolean;
  onStop(): void;
  onToggle(): void;
}

function Option({ id, option, isStop, onStop, onToggle }: OptionProps) {
  const { name, mark, end, isChosen, disabledBecause } = option;
  const toggle = () => disabledBecause === undefined && onToggle();
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== " " && event.key !== "Enter") return;
    toggle();
    event.preventDefault();
  }
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={disabledBecause !== undefined || undefined}
      title={disabledBecause}
      tabIndex={isStop ? 0 : -1}
      className={styles.option}
      onFocus={onStop}
      onClick={toggle}
      onKeyDown={onKeyDown}
    >
      <span className={styles.box}>{isChosen && <Icon of={Check} size={14} />}</span>
      {mark}
      <span className={styles.name}>{name}</span>
      {end != null && <span className={styles.end}>{end}</span>}
    </div>
  );
}
