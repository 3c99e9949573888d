// Drives Chromium on the page: how long elements take to appear, and the processor time and memory that costs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { builtPageFolder, indexFile } from "../server/built-page.ts";
import { noting } from "./noting.ts";
import type { PageBrowser, PageWindow } from "./page-window.ts";
import type { Person } from "./people.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
const patienceMs = 60_000;

/** Returns undefined when Chromium is not installed. Throws where the page is not built. */
export function launchBrowser(): Promise<Browser> | undefined {
  if (!executablePath) return undefined;
  if (!existsSync(join(import.meta.dir, "..", builtPageFolder, indexFile)))
    throw new Error('the page is not built: run "npm run page" first');
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-precise-memory-info"] });
}

/** Chromium behind the interface that all engines share; undefined when it is not installed. */
export async function launchChromium(): Promise<PageBrowser | undefined> {
  const browser = await launchBrowser();
  return (
    browser && {
      open: (origin, person) => Reader.open(browser, origin, person),
      [Symbol.asyncDispose]: () => browser.close(),
    }
  );
}

export class Reader implements PageWindow {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #devtools: CDPSession;
  /** By channel id: how many pages of its messages were fetched. */
  readonly #pages = new Map<string, number>();

  private constructor(context: BrowserContext, page: Page, devtools: CDPSession) {
    this.#context = context;
    this.page = page;
    this.#devtools = devtools;
    page.on("requestfinished", (request) => {
      const [, id] = /\/channels\/([^/]+)\/messages\?/.exec(request.url()) ?? [];
      if (id !== undefined) this.#pages.set(id, this.pagesOf(id) + 1);
    });
  }

  /** Returns how many pages of a channel's messages were fetched. */
  pagesOf(channelId: string): number {
    return this.#pages.get(channelId) ?? 0;
  }

  /** Opens a window in a fresh browser context, signed in as this person. */
  static async open(browser: Browser, origin: string, { token }: Person): Promise<Reader> {
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(patienceMs);
    const { hostname: domain } = new URL(origin);
    await context.addCookies([{ name: "app_session", value: token, domain, path: "/" }]);
    await context.addInitScript(noting);
    const page = await context.newPage();
    return new Reader(context, page, await context.newCDPSession(page));
  }

  async slowDown(times: number): Promise<void> {
    await this.#devtools.send("Emulation.setCPUThrottlingRate", { rate: times });
  }

  async visit(path: string, selector: string): Promise<number> {
    await this.page.goto(path, { waitUntil: "commit" });
    return this.page.evaluate<number>(`__await(${JSON.stringify(selector)})`);
  }

  /** Clicks a link. Returns the milliseconds from the click to the frame that shows the selector. */
  follow(pressed: string, selector: string): Promise<number> {
    return this.page.evaluate<number>(`(async () => {
      const begun = performance.now();
      document.querySelector(${JSON.stringify(pressed)}).click();
      return (await __await(${JSON.stringify(selector)})) - begun;
    })()`);
  }

  attached(selector: string): Promise<unknown> {
    return this.page.locator(selector).waitFor({ state: "attached" });
  }

  click(selector: string): Promise<void> {
    return this.page.locator(selector).click();
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  async wheel(deltaY: number): Promise<void> {
    await this.page.mouse.move(700, 400);
    await this.page.mouse.wheel(0, deltaY);
  }

  async keys(): Promise<number[]> {
    const taken = await this.page.evaluate<number[]>("__keys()");
    return taken.sort((one, other) => other - one);
  }

  /** Returns the size of the heap in bytes, after a garbage collection. */
  async heapBytes(): Promise<number> {
    await this.#devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#devtools.send("Runtime.getHeapUsage");
    return usedSize;
  }

  async busyMs(): Promise<number> {
    await this.#devtools.send("Performance.enable");
    const { metrics } = await this.#devtools.send("Performance.getMetrics");
    return metrics
      .filter(({ name }) => /^(?:Script|Layout|RecalcStyle)Duration$/.test(name))
      .reduce((all, { value }) => all + value * 1000, 0);
  }

  count(selector: string): Promise<number> {
    return this.page.locator(selector).count();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}
