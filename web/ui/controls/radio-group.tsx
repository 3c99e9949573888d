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
  /** The reason why it cannot be chosen, in place of the hint; it stays focusable. */
  disabledBecause?: ReactNode;
  /** The icon of a card. */
  icon?: LucideIcon;
  /** A small sign before the words, such as the shape of a presence. */
  mark?: ReactNode;
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
        <Choice
          key={option.value}
          name={name}
          option={option}
          isChosen={value === option.value}
          onChoose={() => onChange(option.value)}
        />
      ))}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  option: Option<Value>;
  isChosen: boolean;
  onChoose(): void;
}

function Choice<Value extends string>({ name, option, isChosen, onChoose }: ChoiceProps<Value>) {
  const isOff = option.disabledBecause != null;
  const hint = option.disabledBecause ?? option.hint;
  return (
    <label
      className={classNames(
        styles.option,
        !option.picture && styles.plain,
        isChosen && styles.chosen,
        isOff && styles.off,
      )}
    >
      {option.picture && <span className={styles.picture}>{option.picture}</span>}
      <input
        type="radio"
        name={name}
        className={styles.radio}
        checked={isChosen}
        aria-disabled={isOff || undefined}
        aria-labelledby={`${name}-${option.value}-name`}
        aria-describedby={hint != null ? `${name}-${option.value}` : undefined}
        onChange={() => !isOff && onChoose()}
      />
      <span id={`${name}-${option.value}-name`} className={styles.words}>
        {option.mark && <span className={styles.mark}>{option.mark}</span>}
        {option.icon && <Icon of={option.icon} size={16} />}
        <span>{option.label}</span>
      </span>
      {hint != null && (
        <span id={`${name}-${option.value}`} className={styles.hint}>
          {hint}
        </span>
      )}
    </label>
  );
}
