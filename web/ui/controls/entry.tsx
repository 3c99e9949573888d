// The ledger, the layout of forms: labels left of the spine, fields right of it, and problems below the fields.
import { type LucideIcon, TriangleAlert } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./entry.module.css";
import { Icon } from "./icon.tsx";

/** The column of a form with its spine. */
export function Ledger({ children }: { children: ReactNode }) {
  return <div className={styles.ledger}>{children}</div>;
}

interface EntryProps {
  /** The label, left of the spine. */
  label?: ReactNode;
  children: ReactNode;
  isChanged?: boolean;
  isBad?: boolean;
}

/** A row of a ledger that is not a single field: a title, buttons, a list. */
export function Entry({ label, children, isChanged, isBad }: EntryProps) {
  return (
    <div className={classNames(styles.entry, isChanged && styles.changed, isBad && styles.bad)}>
      <div className={styles.label}>{label}</div>
      <div>{children}</div>
    </div>
  );
}

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id"> {
  label: string;
  hint?: ReactNode;
  /** The problem, and how to fix it. */
  problem?: ReactNode;
  isChanged?: boolean;
  /** An icon at the start of the field, inside its border. */
  sign?: LucideIcon;
  /** A button at the end of the field, inside its border. */
  inside?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, problem, isChanged, sign, inside, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={classNames(styles.entry, isChanged && styles.changed, problem != null && styles.bad)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div>
        <div className={classNames(styles.with, inside != null && styles.hasInside)}>
          <Signed by={sign}>
            <input {...input} {...described(id, { hint, problem })} id={id} className={styles.input} />
          </Signed>
          {inside}
        </div>
        <FieldNote id={id} hint={hint} problem={problem} />
      </div>
    </div>
  );
}

interface SignedProps {
  by: LucideIcon | undefined;
  /** The field. */
  children: ReactNode;
}

/** A field with a sign before its value, such as # before a channel's name; it is part of neither value nor label. */
export function Signed({ by, children }: SignedProps) {
  return by ? (
    <div className={styles.signed}>
      <Icon of={by} size={16} />
      {children}
    </div>
  ) : (
    children
  );
}

interface Note {
  hint?: ReactNode;
  problem?: ReactNode;
}

/** Returns a field's ARIA attributes: whether it is invalid, and the id of the note below it. */
export function described(id: string, { hint, problem }: Note) {
  return {
    "aria-invalid": problem != null || undefined,
    "aria-describedby": hint != null || problem != null ? `${id}-said` : undefined,
  };
}

/** The note below a field: its problem, or else its hint. */
export function FieldNote({ id, hint, problem }: Note & { id: string }) {
  return (
    <div id={`${id}-said`} aria-live="polite">
      {problem != null ? <Problem>{problem}</Problem> : hint != null && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

/** The problem, and how to fix it. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={styles.problem}>
      <Icon of={TriangleAlert} size={14} />
      <span>{children}</span>
    </p>
  );
}
