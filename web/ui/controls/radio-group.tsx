// A radio group: in a line, as a list, or as cards with a picture of the option.
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "../browser/class-names.ts";
import { Icon } from "./icon.tsx";
import styles from "./radio-group.module.css";

interface Option<Value extends string> {
  value: Value;
  label: string;
  hint?: ReactNode;
  /** The icon of a card. */
  icon?: LucideIcon;
  picture?: ReactNode;
}

interface Props<Value extends string> {
  /** The question; also the accessible name. */
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  as?: "line" | "list" | "cards";
  onChange(value: Value): void;
}

export function RadioGroup<Value extends string>({
  label,
  value,
  options,
  as = "line",
  onChange,
}: Props<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles[as]}>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(styles.option, value === option.value && styles.chosen)}
        >
          {option.picture && <span className={styles.picture}>{option.picture}</span>}
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={value === option.value}
            aria-labelledby={`${name}-${option.value}-name`}
            aria-describedby={option.hint != null ? `${name}-${option.value}` : undefined}
            onChange={() => onChange(option.value)}
          />
          <span id={`${name}-${option.value}-name`} className={styles.words}>
            {option.icon && <Icon of={option.icon} size={16} />}
            <span>{option.label}</span>
          </span>
          {option.hint != null && (
            <span id={`${name}-${option.value}`} className={styles.hint}>
              {option.hint}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}
