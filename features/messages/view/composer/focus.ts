// When the text field has the focus without a press on it: a room is opened, a message is answered, somebody just types.
import { type RefObject, useEffect, useRef } from "react";
import { isComposing } from "../../../../web/ui/browser/input-method.ts";

/** With a finger the keyboard would cover the room. */
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

/** A letter that nobody else has a use for. A space presses buttons. */
function isLetter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing(event)) return false;
  return key !== " " && [...key].length === 1;
}

/** Runs it now, or when the dialog is gone in which the room was chosen or made. Returns what ends the wait. */
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

/** The reader writes elsewhere, or is in a menu or a dialog. */
function isBusy(element: Element | null): boolean {
  const isField =
    element instanceof HTMLElement &&
    (element.isContentEditable || element.matches("input, textarea, select"));
  // Most keys are pressed in a field, and looking through the whole page takes longer.
  return isField || isCovered();
}
