// A phone in journeys: its size, and what fingers do there.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { comes, untilPart, untilSo } from "./scene.ts";
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
    const back = page.getByRole("button", { name: /^(Back to channels|Back|Close)$/ }).first();
    if (!(await back.isVisible())) return false;
    // The pane goes a while after the press: one more on the same button would lead too far, or find none.
    const before = page.url();
    await back.tap({ timeout: 5000 }).catch(() => {});
    await page.waitForURL(({ href }) => href !== before, { timeout: 5000 }).catch(() => {});
    await untilPanesRest(page);
    return false;
  }, "there is no way to the channels");
}

/** What is done with a message, from the sheet that a resting finger opens. */
export async function act(page: Page, message: Locator, verb: string): Promise<void> {
  await longPress(page, message);
  await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/**
 * So long a finger rests before its owner tries again, in milliseconds: rows that were kept are drawn anew below it once.
 * A busy machine needs seconds for what opens, and a finger that came again would press what lies in it then.
 */
const restMs = 15_000;

export async function longPress(page: Page, message: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let tries = 0;
  await until(async () => {
    if (tries++ > 0 && (await page.getByRole("dialog").isVisible())) return true;
    await untilStill(page);
    await message.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await message.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    const isThere = await comes(page.getByRole("dialog"), restMs);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    return isThere;
  }, "a finger that rests opens nothing");
}

/** What moves panes comes behind the first message. */
export function untilPanesMove(page: Page): Promise<void> {
  return untilPart(page, "swipe");
}

/** A press while panes move may find the one that goes. */
function untilPanesRest(page: Page): Promise<void> {
  return untilSo(page, "document.documentElement.dataset.pane === undefined");
}

export async function swipeBack(page: Page): Promise<void> {
  await untilPanesMove(page);
  // As long as a pane is on its way, a finger does not find it.
  await untilPanesRest(page);
  const session = await page.context().newCDPSession(page);
  const at = (x: number) => [{ x, y: 300 }];
  // A finger that rests too long before it moves, on a busy machine, is no swipe, and leaves the pane where it is.
  await until(async () => {
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(60) });
    for (const x of [100, 140, 180, 220, 260])
      await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(x) });
    const isSwipe = await comes(page.locator("[style*=translateX]").first(), 5000);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    return isSwipe;
  }, "no pane follows the finger");
}

/** Nothing may need a mouse: none of its events reaches the page. */
export async function noMouse(page: Page): Promise<void> {
  const script = `for (const kind of ["mouseover", "mousemove", "wheel"])
    addEventListener(kind, (event) => event.isTrusted && event.sourceCapabilities?.firesTouchEvents !== true && event.stopImmediatePropagation(), true);`;
  await page.context().addInitScript(script);
}
