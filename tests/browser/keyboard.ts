// Drives a page without a mouse: Tab from control to control, press and type.
import type { Page } from "playwright-core";

/** Tabs until a control has the focus, which is never lost. */
export async function tabTo(page: Page, wanted: ReturnType<Page["locator"]>): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 40; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${wanted}`);
}

/** Types into a field, after tabbing to it unless it has the focus. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole("textbox", { name: label, exact: true }));
  await page.keyboard.type(text);
}

export async function press(page: Page, role: "button" | "link", name: string): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }));
  await page.keyboard.press("Enter");
}

/** A script that presses a key in the focused field while an input method composes there: the key is for that alone. */
export function composing(key: string): string {
  const event = JSON.stringify({ key, isComposing: true, bubbles: true, cancelable: true });
  return `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", ${event}))`;
}
