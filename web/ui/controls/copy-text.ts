// Puts a text into the clipboard, also where the page did not come over HTTPS and browsers keep the clipboard away.
import { announce } from "../browser/announce.ts";
import { currentWords } from "../words/words.ts";

/** Returns whether it is there now, and says so. */
export async function copyText(text: string): Promise<boolean> {
  const { parts: words } = currentWords();
  const isDone = await copied(text);
  announce(isDone ? words.copied : words.notCopied);
  return isDone;
}

async function copied(text: string): Promise<boolean> {
  // A browser that has it may still refuse it: to a frame, say.
  if (navigator.clipboard && (await navigator.clipboard.writeText(text).then(yes, no))) return true;
  return copiedFromField(text);
}

const yes = () => true;
const no = () => false;

/** The old way: what is selected is copied. A dialog keeps the focus inside of it, so the field is put there. */
function copiedFromField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  (before?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
