// Copies text to the clipboard, also on pages without HTTPS, where browsers hide the Clipboard API.
import { announce } from "../browser/announce.ts";
import { currentWords } from "../words/words.ts";

/** Copies the text and announces the outcome. Returns whether it succeeded. */
export async function copyText(text: string): Promise<boolean> {
  const { parts: words } = currentWords();
  const isDone = await copied(text);
  announce(isDone ? words.copied : words.notCopied);
  return isDone;
}

async function copied(text: string): Promise<boolean> {
  // A browser with the API may still refuse it, for example to a frame.
  if (navigator.clipboard && (await navigator.clipboard.writeText(text).then(yes, no))) return true;
  return copiedFromField(text);
}

const yes = () => true;
const no = () => false;

/** Copies by `execCommand` from a temporary field, inside the dialog if one traps the focus. */
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
