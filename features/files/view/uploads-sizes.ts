// The progress of an upload, as text.
import { byteSize } from "../../../web/ui/words/sizes.ts";
import { currentLanguage } from "../../../web/ui/words/words.ts";

const step = 1024;

/** "2.1" and "3.4 MB": both in the unit of the whole. */
export function progressText(sent: number, all: number): { sent: string; all: string } {
  let part = sent;
  let whole = all;
  while (whole >= step) {
    whole /= step;
    part /= step;
  }
  const digits = whole < 10 && all >= step ? 1 : 0;
  const number = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return { sent: new Intl.NumberFormat(currentLanguage(), number).format(part), all: byteSize(all) };
}
