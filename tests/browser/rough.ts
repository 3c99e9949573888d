// A rough profile, less kind than the usual test browsers: a slow machine on a slow network, large text, scroll bars
// that take up space, a device pixel ratio of 1.25, Turkish, a time zone with a half-hour offset, and a window that is
// in the background half of the time.
import type { BrowserContextOptions, Page } from "playwright-core";
import { barsTakeRoom } from "./chromium.ts";
import type { Scene } from "./scene.ts";
import type { Watched } from "./watched.ts";

/** Text at 150 %, set in the browser, as the page itself offers 133 % at most. */
export const roughFlags: readonly string[] = [barsTakeRoom, "--blink-settings=defaultFontSize=24"];

const roughOptions: BrowserContextOptions = {
  viewport: { width: 1280, height: 720 },
  deviceScaleFactor: 1.25,
  locale: "tr-TR",
  timezoneId: "America/St_Johns",
};

const latencyMs = 400;
const timesSlower = 6;

/**
 * A background window as a page sees it: hidden and without focus, no frames are drawn, and timers fire once a second.
 * Test browsers show all their pages.
 */
const canBeBehind = `{
  let isBehind = false;
  const held = new Map();
  const [ask, cancel, wait] = [requestAnimationFrame, cancelAnimationFrame, setTimeout].map((each) => each.bind(globalThis));
  const draw = (run) => {
    const id = ask((now) => (isBehind ? held.set(id, run) : run(now)));
    return id;
  };
  globalThis.requestAnimationFrame = draw;
  globalThis.cancelAnimationFrame = (id) => held.delete(id) || cancel(id);
  globalThis.setTimeout = (run, ms = 0, ...about) => wait(run, isBehind ? Math.max(ms, 1000) : ms, ...about);
  const visible = () => (isBehind ? "hidden" : "visible");
  Object.defineProperty(document, "visibilityState", { get: visible });
  Object.defineProperty(document, "hidden", { get: () => isBehind });
  const hasFocus = document.hasFocus.bind(document);
  document.hasFocus = () => !isBehind && hasFocus();
  globalThis.goBehind = (wanted) => {
    if (wanted === isBehind) return;
    isBehind = wanted;
    dispatchEvent(new Event(wanted ? "blur" : "focus"));
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    if (wanted) return;
    const runs = [...held.values()];
    held.clear();
    for (const run of runs) draw(run);
  };
}`;

/** Opens a browser with this profile, and its page at an address. */
export async function rough(
  scene: Scene,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ watched: Watched; page: Page }> {
  const watched = await scene.watched({ ...roughOptions, ...options });
  await watched.context.addInitScript(canBeBehind);
  const page = await watched.context.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: timesSlower });
  await session.send("Network.enable");
  const line = { offline: false, latency: latencyMs, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", line);
  await page.goto(path);
  return { watched, page };
}

/** Puts this window behind others during `happens`. */
export async function behind<T>(page: Page, happens: () => Promise<T>): Promise<T> {
  await page.evaluate("goBehind(true)");
  const result = await happens();
  await page.evaluate("goBehind(false)");
  return result;
}
