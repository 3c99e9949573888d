// A choice from a list, as a field of a form: the browser's own, which every phone and screen reader knows.
import { ChevronDown } from "lucide-react";
import { type ReactNode, type SelectHTMLAttributes, useId } from "react";
import { Entry, Problem } from "./entry.tsx";
import { Icon } from "./icon.tsx";
import styles from "./select.module.css";

type Native = Omit<SelectHTMLAttributes<HTMLSelectElement>, "className" | "id" | "onChange" | "value">;

interface SelectProps<Value extends string> extends Native {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: Value): void;
}

/** The list alone; it needs a name: `aria-label` or `aria-labelledby`. */
export function Select<Value extends string>({ value, options, onChange, ...rest }: SelectProps<Value>) {
  return <Choice value={value} options={options} onChange={onChange} {...rest} />;
}

interface FieldProps<Value extends string> extends SelectProps<Value> {
  label: string;
  hint?: ReactNode;
  problem?: ReactNode;
  isChanged?: boolean;
}

/** The list as a row of a ledger. */
export function SelectField<Value extends string>({
  label,
  hint,
  problem,
  isChanged = false,
  ...select
}: FieldProps<Value>) {
  const id = useId();
  const said = problem ?? hint;
  return (
    <Entry label={<label htmlFor={id}>{label}</label>} isChanged={isChanged} isBad={problem != null}>
      <Choice
        {...select}
        id={id}
        aria-invalid={problem != null || undefined}
        aria-describedby={said != null ? `${id}-said` : undefined}
      />
      <div id={`${id}-said`} aria-live="polite">
        {problem != null ? (
          <Problem>{problem}</Problem>
        ) : (
          hint != null && <p className={styles.hint}>{hint}</p>
        )}
      </div>
    </Entry>
  );
}

function Choice<Value extends string>({
  value,
  options,
  onChange,
  ...rest
}: SelectProps<Value> & { id?: string }) {
  return (
    <div className={styles.with}>
      <select
        {...rest}
        className={styles.select}
        value={value}
        // The browser hands back one of the options.
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
