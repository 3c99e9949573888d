// The computed styles of an element of the page.
import type { Locator } from "playwright-core";

/** Returns the value of a property, such as `backgroundColor`. */
export function styleOf(of: Locator, property: string): Promise<string> {
  return of.evaluate((element, wanted) => {
    const page = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> };
    return page.getComputedStyle(element)[wanted] ?? "";
  }, property);
}
