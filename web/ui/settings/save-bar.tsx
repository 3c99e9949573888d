// The bar below a page of settings: it appears with the first unsaved change, and stays when saving fails.
import { type RefObject, useEffect, useRef } from "react";
import { announce } from "../browser/announce.ts";
import { Button } from "../controls/button.tsx";
import { Problem } from "../controls/entry.tsx";
import { useRefusal } from "../words/refusal.ts";
import { currentLanguage, useWords } from "../words/words.ts";
import type { AnyDraft } from "./draft.ts";
import styles from "./settings-frame.module.css";

interface Props {
  draft: AnyDraft;
  /** Takes the focus from the bar when that disappears. */
  heading: RefObject<HTMLElement | null>;
}

/** Part of the page's form, which its first button submits. */
export function SaveBar({ draft, heading }: Props) {
  const { settings: words } = useWords();
  const bar = useRef<HTMLDivElement>(null);
  const refusal = useRefusal(draft.error);
  const count = draft.changed.size;
  const isShown = count > 0 || draft.isSaving;
  useFocusKept(isShown, bar, heading);
  const number = new Intl.NumberFormat(currentLanguage()).format(count);
  if (!isShown) return null;
  return (
    <div ref={bar} className={styles.saveBar}>
      <div className={styles.said} aria-live="polite">
        {refusal ? <Problem>{refusal}</Problem> : words.unsaved(number, count === 1)}
      </div>
      <Button kind="quiet" onClick={draft.discard}>
        {words.discardChanges}
      </Button>
      <Button kind="primary" type="submit" isBusy={draft.isSaving}>
        {words.saveChanges}
      </Button>
    </div>
  );
}

/** Moves the focus to the heading when the bar disappears with it, and announces that the changes are saved. */
function useFocusKept(
  isShown: boolean,
  bar: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
): void {
  const hadFocus = useRef(false);
  hadFocus.current = bar.current?.contains(document.activeElement) ?? false;
  const { settings: words } = useWords();
  const wasShown = useRef(false);
  useEffect(() => {
    if (wasShown.current && !isShown) {
      if (hadFocus.current || document.activeElement === document.body) heading.current?.focus();
      announce(words.saved);
    }
    wasShown.current = isShown;
  }, [isShown, heading, words]);
}
