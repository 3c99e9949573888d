// Reports by a toast that a part of the page failed to load, when no view can: the requested action was not done.

import { currentWords } from "../words/words.ts";
import { showToast } from "./toast.ts";

export function tellNotLoaded(): void {
  const { parts: words } = currentWords();
  const action = { label: words.reloadPage, run: () => location.reload() };
  showToast({ text: words.notLoaded, isAlert: true, action });
}
