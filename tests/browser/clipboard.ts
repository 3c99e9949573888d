// Reads a browser's clipboard from a separate page, as Hearth's page may only write to it.
import type { Page } from "playwright-core";

const address = "http://clipboard.localhost/";

/** Returns the last text copied in the browser of this page. */
export async function copiedText(page: Page): Promise<string> {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  const context = await browser.newContext({ permissions: ["clipboard-read"] });
  try {
    const reader = await context.newPage();
    await reader.route(address, (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await reader.goto(address);
    return await reader.evaluate<string>("navigator.clipboard.readText()");
  } finally {
    await context.close();
  }
}
