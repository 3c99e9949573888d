// Focuses the text field without a press: when a channel opens, on a reply, on typing anywhere.
import { type RefObject, useEffect, useRef } from "react";
import { isComposing } from "../../../../web/ui/browser/input-method.ts";

/** On touch devices the on-screen keyboard would cover the room. */
const hasKeys = matchMedia("(hover: hover) and (pointer: fine)");

export function useFocusOnOpening(
  area: RefObject<HTMLTextAreaElement | null>,
  replyTo: string | undefined,
): void {
  const before = useRef(replyTo);
  useEffect(() => {
    if (!hasKeys.matches) return;
    return whenUncovered(() => {
      if (!isBusy(document.activeElement)) area.current?.focus({ preventScroll: true });
    });
  }, [area]);
  useEffect(() => {
    if (replyTo !== undefined && replyTo !== before.current) area.current?.focus({ preventScroll: true });
    before.current = replyTo;
  }, [area, replyTo]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isLetter(event) && !isBusy(document.activeElement)) area.current?.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [area]);
}

/** True if the key is a letter that nothing else handles. A space presses buttons. */
function isLetter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing(event)) return false;
  return key !== " " && [...key].length === 1;
}

/** Runs now, or after the dialog that chose or created the channel. Returns a function that cancels the wait. */
function whenUncovered(run: () => void): () => void {
  const watch = new MutationObserver(look);
  function look() {
    if (isCovered()) return;
    watch.disconnect();
    run();
  }
  watch.observe(document.body, { childList: true, subtree: true });
  look();
  return () => watch.disconnect();
}

function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
}

/** True if the reader is typing elsewhere, or is in a menu or a dialog. */
function isBusy(element: Element | null): boolean {
  const isField =
    element instanceof HTMLElement &&
    (element.isContentEditable || element.matches("input, textarea, select"));
  // Most keys are pressed in a field; searching the whole page for dialogs takes longer.
  return isField || isCovered();
}
