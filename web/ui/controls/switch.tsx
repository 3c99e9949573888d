// An on/off switch with a label and a hint.
import { type ReactNode, useId } from "react";
import styles from "./switch.module.css";

interface Props {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  /** The reason why it cannot be changed now; it stays focusable, and shows the reason. */
  disabledBecause?: string | undefined;
  onChange(isOn: boolean): void;
}

/** Consecutive switches are separated by hairlines. */
export function Switch({ label, hint, isOn, disabledBecause, onChange }: Props) {
  const id = useId();
  const said = disabledBecause ?? hint;
  return (
    <div className={styles.row}>
      <div className={styles.text}>
        <label htmlFor={id}>{label}</label>
        {said != null && (
          <p id={`${id}-said`} className={styles.hint}>
            {said}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        id={id}
        className={styles.switch}
        aria-checked={isOn}
        aria-disabled={disabledBecause !== undefined || undefined}
        aria-describedby={said != null ? `${id}-said` : undefined}
        title={disabledBecause}
        onClick={() => disabledBecause === undefined && onChange(!isOn)}
      />
    </div>
  );
}
