// File sizes, formatted in the reader's language.
import { currentLanguage } from "./words.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const step = 1024;

/** Formats a size as "61 kB" or "2.1 MB". */
export function byteSize(bytes: number): string {
  return partsOf(bytes)
    .map(({ value }) => value)
    .join("");
}

/** Returns "2.1" and "MB", for figures with a smaller unit. */
export function sizeParts(bytes: number): { number: string; unit: string } {
  const parts = partsOf(bytes).filter(({ type }) => type !== "literal");
  const text = (isUnit: boolean) =>
    parts
      .filter(({ type }) => (type === "unit") === isUnit)
      .map(({ value }) => value)
      .join("");
  return { number: text(false), unit: text(true) };
}

function partsOf(bytes: number): Intl.NumberFormatPart[] {
  let size = bytes;
  let unit = 0;
  while (size >= step && unit < units.length - 1) {
    size /= step;
    unit++;
  }
  const maximumFractionDigits = size < 10 && unit > 0 ? 1 : 0;
  const unitDisplay = unit === 0 ? "long" : "short";
  const options = { style: "unit", unit: units[unit], unitDisplay, maximumFractionDigits } as const;
  return new Intl.NumberFormat(currentLanguage(), options).formatToParts(size);
}
