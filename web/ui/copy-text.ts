// Puts a text into the clipboard, also where the page did not come over HTTPS and browsers keep the clipboard away.
import { announce } from "./announce.ts";
import { currentWords } from "./words.ts";

/** Returns whether it is there now, and says so. */
export async function copyText(text: string): Promise<boolean> {
  const { parts: words } = currentWords();
  const isDone = await copied(text);
  announce(isDone ? words.copied : words.notCopied);
  return isDone;
}

async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
