// A checkbox with a label and a hint.
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import styles from "./checkbox.module.css";
import { Icon } from "./icon.tsx";

interface Props {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  /** The reason why it cannot be changed now; it stays focusable, and shows the reason. */
  disabledBecause?: string | undefined;
  onChange(isOn: boolean): void;
}

export function Checkbox({ label, hint, isOn, disabledBecause, onChange }: Props) {
  const id = useId();
  const said = disabledBecause ?? hint;
  return (
    <div className={styles.row}>
      <span className={styles.with}>
        <input
          type="checkbox"
          id={id}
          className={styles.box}
          checked={isOn}
          aria-disabled={disabledBecause !== undefined || undefined}
          aria-describedby={said != null ? `${id}-said` : undefined}
          onChange={() => disabledBecause === undefined && onChange(!isOn)}
        />
        {isOn && <Icon of={Check} size={14} />}
      </span>
      <label htmlFor={id}>{label}</label>
      {said != null && (
        <p id={`${id}-said`} className={styles.hint}>
          {said}
        </p>
      )}
    </div>
  );
}
