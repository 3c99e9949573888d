// Styles as the browser computed them.
import type { Locator, Page } from "playwright-core";

/** Returns the value of a property, such as `backgroundColor`, of an element or of a part of it such as "::before". */
export function styleOf(of: Locator, wanted: string, part = ""): Promise<string> {
  return of.evaluate(
    (element, [part, name]) => {
      const page = globalThis as unknown as {
        getComputedStyle(of: unknown, part?: string): Record<string, string>;
      };
      return page.getComputedStyle(element, part || undefined)[name] ?? "";
    },
    [part, wanted] as const,
  );
}

/** A colour of the tokens, as computed styles tell it. */
export function colourOf(page: Page, token: string): Promise<string> {
  return page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(${token})";
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);
}
