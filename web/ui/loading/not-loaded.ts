// Says that a part of the page did not come where no view says it: what was asked for is not done.

import { currentWords } from "../words/words.ts";
import { showToast } from "./toast.ts";

export function tellNotLoaded(): void {
  const { parts: words } = currentWords();
  const action = { label: words.reloadPage, run: () => location.reload() };
  showToast({ text: words.notLoaded, isAlert: true, action });
}
