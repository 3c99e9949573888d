// The page without a mouse: from control to control by Tab, and what is pressed and typed there.
import type { Page } from "playwright-core";

/** Goes from control to control, as somebody without a mouse does. The focus is never nowhere. */
export async function tabTo(page: Page, wanted: ReturnType<Page["locator"]>): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 40; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${wanted}`);
}

/** Types into a field that has the focus already, or gets it by Tab. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole("textbox", { name: label, exact: true }));
  await page.keyboard.type(text);
}

export async function press(page: Page, role: "button" | "link", name: string): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }));
  await page.keyboard.press("Enter");
}
