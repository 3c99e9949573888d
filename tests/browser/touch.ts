// A phone in journeys: its size, and what fingers do there.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { until } from "../house/waiting.ts";
import { untilPart } from "./scene.ts";
import { untilStill } from "./watching-rows.ts";

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  hasTouch: true,
  isMobile: true,
};

export function row(page: Page, text: string): Locator {
  return page.getByRole("article").filter({ hasText: text }).first();
}

export async function untilSent(page: Page): Promise<void> {
  await until(
    async () => (await page.locator("[data-state=pending]").count()) === 0,
    "something still waits",
  );
}

/** Up to the first pane, by the buttons that stand there for it. */
export async function toChannels(page: Page): Promise<void> {
  const channels = page.getByRole("navigation", { name: "Channels" });
  await until(async () => {
    if (await channels.isVisible()) return true;
    const backs = page.getByRole("button", { name: /^(Back to channels|Back|Close)$/ });
    if (await backs.first().isVisible()) await backs.first().tap();
    return false;
  }, "there is no way to the channels");
}

/** What is done with a message, from the sheet that a resting finger opens. */
export async function act(page: Page, message: Locator, verb: string): Promise<void> {
  await longPress(page, message);
  await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** So long a finger rests before its owner tries again, in milliseconds: rows that were kept are drawn anew below it once. */
const restMs = 3000;

export async function longPress(page: Page, message: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await until(async () => {
    await untilStill(page);
    await message.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await message.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    const isOpen = page.getByRole("dialog").waitFor({ timeout: restMs });
    const isThere = await isOpen.then(
      () => true,
      () => false,
    );
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    return isThere;
  }, "a finger that rests opens nothing");
}

/** What moves panes comes behind the first message. */
export function untilPanesMove(page: Page): Promise<void> {
  return untilPart(page, "swipe");
}

export async function swipeBack(page: Page): Promise<void> {
  await untilPanesMove(page);
  // As long as a pane is on its way, a finger does not find it.
  await until(
    () => page.evaluate<boolean>("document.documentElement.dataset.pane === undefined"),
    "it goes on",
  );
  const session = await page.context().newCDPSession(page);
  const at = (x: number) => [{ x, y: 300 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(60) });
  for (const x of [100, 140, 180, 220, 260])
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(x) });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Nothing may need a mouse: none of its events reaches the page. */
export async function noMouse(page: Page): Promise<void> {
  const script = `for (const kind of ["mouseover", "mousemove", "wheel"])
    addEventListener(kind, (event) => event.isTrusted && event.sourceCapabilities?.firesTouchEvents !== true && event.stopImmediatePropagation(), true);`;
  await page.context().addInitScript(script);
}
