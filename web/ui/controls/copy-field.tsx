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
  /** True if copying is what its dialog is for. */
  isMain?: boolean;
  onCopied?(): void;
}

export function CopyField({
  label,
  value,
  isShownOnce = false,
  hasFocus = isShownOnce,
  isMain = false,
  onCopied,
}: Props) {
  const { parts: words } = useWords();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (hasFocus) input.current?.focus();
  }, [hasFocus]);
  async function copy() {
    if (input.current) selectFromStart(input.current);
    const isDone = await copyText(value);
    setCopied(isDone);
    if (isDone) onCopied?.();
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
          onFocus={(event) => selectFromStart(event.target)}
          onCopy={onCopied}
          aria-describedby={isShownOnce ? `${id}-once` : undefined}
        />
        <Button
          kind={isMain ? "primary" : "second"}
          icon={isCopied ? Check : Copy}
          onClick={() => void copy()}
        >
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

/** Selects all, and shows the beginning: `select` would leave a long address scrolled to its end. */
function selectFromStart(input: HTMLInputElement): void {
  input.setSelectionRange(0, input.value.length, "backward");
  input.scrollLeft = 0;
}
