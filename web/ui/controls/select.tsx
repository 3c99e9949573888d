// A select field: the browser's own control, which every phone and screen reader supports.
import { ChevronDown } from "lucide-react";
import { type ReactNode, type SelectHTMLAttributes, useId } from "react";
import { described, Entry, FieldNote } from "./entry.tsx";
import { Icon } from "./icon.tsx";
import styles from "./select.module.css";

type Native = Omit<SelectHTMLAttributes<HTMLSelectElement>, "className" | "onChange" | "value">;

interface SelectProps<Value extends string> extends Native {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: Value): void;
}

/** The control alone. It needs a name: `aria-label`, `aria-labelledby`, or a label for its id. */
export function Select<Value extends string>({ value, options, onChange, ...rest }: SelectProps<Value>) {
  return (
    <div className={styles.with}>
      <select
        {...rest}
        className={styles.select}
        value={value}
        // The value is that of one of the options.
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} size={16} />
    </div>
  );
}

interface FieldProps<Value extends string> extends SelectProps<Value> {
  label: string;
  hint?: ReactNode;
  problem?: ReactNode;
  isChanged?: boolean;
}

/** The select as a row of a ledger. */
export function SelectField<Value extends string>({
  label,
  hint,
  problem,
  isChanged = false,
  ...select
}: FieldProps<Value>) {
  const id = useId();
  return (
    <Entry label={<label htmlFor={id}>{label}</label>} isChanged={isChanged} isBad={problem != null}>
      <Select {...select} {...described(id, { hint, problem })} id={id} />
      <FieldNote id={id} hint={hint} problem={problem} />
    </Entry>
  );
}
