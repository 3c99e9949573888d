// Reads a browser's clipboard from a page of its own, as Hearth's page may write to it and not read it.
import type { Page } from "playwright-core";

const address = "http://clipboard.localhost/";

/** Returns the text that was copied last in the browser of this page. */
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
