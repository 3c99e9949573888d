// Fields with the label above, of one line or several, for forms without a spine.
import type { LucideIcon } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from "react";
import entry from "./entry.module.css";
import { described, FieldNote, Signed } from "./entry.tsx";
import { Select } from "./select.tsx";
import styles from "./text-field.module.css";

interface Shared {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: ReactNode;
  problem?: ReactNode;
}

interface InputProps
  extends Shared,
    Omit<InputHTMLAttributes<HTMLInputElement>, keyof Shared | "id" | "className"> {
  /** An icon at the start of the field, inside its border. */
  sign?: LucideIcon;
}

export function TextField({ label, onChange, hint, problem, sign, ...input }: InputProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Signed by={sign}>
        <input
          {...input}
          {...described(id, { hint, problem })}
          id={id}
          className={entry.input}
          onChange={(event) => onChange(event.target.value)}
        />
      </Signed>
      <FieldNote id={id} hint={hint} problem={problem} />
    </div>
  );
}

type AreaProps = Shared &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof Shared | "id" | "className">;

export function TextArea({ label, onChange, hint, problem, ...area }: AreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...area}
        {...described(id, { hint, problem })}
        id={id}
        className={entry.input}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldNote id={id} hint={hint} problem={problem} />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange(value: Value): void;
  options: readonly { value: Value; label: string }[];
  hint?: ReactNode;
  problem?: ReactNode;
}

/** A select with its label above. */
export function Choice<Value extends string>({ label, hint, problem, ...select }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <Select {...select} aria-labelledby={`${id}-label`} {...described(id, { hint, problem })} />
      <FieldNote id={id} hint={hint} problem={problem} />
    </div>
  );
}
