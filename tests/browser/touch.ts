// A phone in journeys: its size, and touch gestures.
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

/** Goes up to the first pane, by the panes' own buttons. */
export async function toChannels(page: Page): Promise<void> {
  const channels = page.getByRole("navigation", { name: "Channels" });
  await until(async () => {
    if (await channels.isVisible()) return true;
    const back = page.getByRole("button", { name: /^(Back to channels|Back|Close)$/ }).first();
    if (!(await back.isVisible())) return false;
    // The pane goes a while after the press: a second press would lead too far, or find no button.
    const before = page.url();
    await back.tap({ timeout: 5000 }).catch(() => {});
    await page.waitForURL(({ href }) => href !== before, { timeout: 5000 }).catch(() => {});
    await untilPanesRest(page);
    return false;
  }, "there is no way to the channels");
}

/** Acts on a message through the sheet that a long press opens. */
export async function act(page: Page, message: Locator, verb: string): Promise<void> {
  await longPress(page, message);
  await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/**
 * Duration in ms of a long press before it is tried again: redrawn rows interrupt it once. A busy machine needs seconds
 * to open the sheet, and a second press would hit a button in it.
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

/** Waits for the part that moves panes, which loads after the first message. */
export function untilPanesMove(page: Page): Promise<void> {
  return untilPart(page, "swipe");
}

/** Waits until panes rest: a press may hit a pane that is leaving. */
function untilPanesRest(page: Page): Promise<void> {
  return untilSo(page, "document.documentElement.dataset.pane === undefined");
}

export async function swipeBack(page: Page): Promise<void> {
  await untilPanesMove(page);
  // A finger cannot hit a moving pane.
  await untilPanesRest(page);
  const session = await page.context().newCDPSession(page);
  const at = (x: number) => [{ x, y: 300 }];
  // On a busy machine the finger may rest too long before it moves: that is no swipe, and the pane stays.
  await until(async () => {
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(60) });
    for (const x of [100, 140, 180, 220, 260])
      await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(x) });
    const isSwipe = await comes(page.locator("[style*=translateX]").first(), 5000);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    return isSwipe;
  }, "no pane follows the finger");
}

/** Blocks mouse events, so that nothing can depend on them. */
export async function noMouse(page: Page): Promise<void> {
  const script = `for (const kind of ["mouseover", "mousemove", "wheel"])
    addEventListener(kind, (event) => event.isTrusted && event.sourceCapabilities?.firesTouchEvents !== true && event.stopImmediatePropagation(), true);`;
  await page.context().addInitScript(script);
}
