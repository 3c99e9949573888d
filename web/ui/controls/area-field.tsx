// A multi-line field on the spine, with a character count near its limit.
import { type ReactNode, type TextareaHTMLAttributes, useId } from "react";
import { currentLanguage, useWords } from "../words/words.ts";
import styles from "./entry.module.css";
import { Entry, Problem } from "./entry.tsx";

type Native = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "className" | "id" | "value" | "onChange">;

interface Props extends Native {
  label: string;
  value: string;
  /** The limit in code points, as people count characters. */
  max: number;
  hint?: ReactNode;
  problem?: string | undefined;
  isChanged?: boolean;
  onChange(value: string): void;
}

/** Text above the limit stays and is marked as wrong: nothing that was typed or pasted is cut off. */
export function AreaField({ label, value, max, hint, problem, isChanged = false, onChange, ...area }: Props) {
  const { settings: words } = useWords();
  const id = useId();
  const used = lengthOf(value);
  const number = new Intl.NumberFormat(currentLanguage());
  const counted = words.counted(number.format(used), number.format(max));
  const wrong = problem ?? (used > max ? words.tooLong(number.format(used - max)) : undefined);
  return (
    <Entry label={<label htmlFor={id}>{label}</label>} isChanged={isChanged} isBad={wrong !== undefined}>
      <textarea
        rows={4}
        {...area}
        id={id}
        className={styles.input}
        value={value}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={`${id}-said`}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id={`${id}-said`}>
        {wrong !== undefined ? (
          <Problem>{wrong}</Problem>
        ) : (
          <p className={styles.hint}>
            {hint} {used > max / 2 && counted}
          </p>
        )}
      </div>
    </Entry>
  );
}

function lengthOf(text: string): number {
  return [...text].length;
}
