// A text with a copy button: an address, or a token that is shown only once.
import { Check, Copy } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import styles from "./copy-field.module.css";
import { copyText } from "./copy-text.ts";

interface Props {
  label: string;
  value: string;
  /** Shows a note that the value cannot be read again. */
  isShownOnce?: boolean;
  /** Takes the focus when it appears. */
  hasFocus?: boolean;
}

export function CopyField({ label, value, isShownOnce = false, hasFocus = isShownOnce }: Props) {
  const { parts: words } = useWords();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (hasFocus) input.current?.focus();
  }, [hasFocus]);
  async function copy() {
    input.current?.select();
    setCopied(await copyText(value));
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        <input
          ref={input}
          id={id}
          readOnly
          value={value}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          aria-describedby={isShownOnce ? `${id}-once` : undefined}
        />
        <Button icon={isCopied ? Check : Copy} onClick={() => void copy()}>
          {isCopied ? words.copied : words.copy}
        </Button>
      </div>
      {isShownOnce && (
        <p id={`${id}-once`} className={styles.once}>
          {words.shownOnce}
        </p>
      )}
    </div>
  );
}
