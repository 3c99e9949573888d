// A browser that looks at the page: how long it waits for what it wants to see, and what that costs it.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import type { Person } from "./people.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
const patienceMs = 60_000;

/** Undefined where there is no Chromium. */
export function launchBrowser(): Promise<Browser> | undefined {
  if (!executablePath) return undefined;
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-precise-memory-info"] });
}

/** Notes when something is first drawn, and how long each interaction took to the next paint. */
const noting = `
  window.__slowest = 0;
  window.__drawn = undefined;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId) window.__slowest = Math.max(window.__slowest, entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  window.__await = (selector) => new Promise((done) => {
    const look = () => document.querySelector(selector) ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : requestAnimationFrame(look);
    look();
  });
`;

export class Reader implements AsyncDisposable {
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

  /** A window of a browser of this person's own, that has never been here. */
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

  /** Opens an address. Returns the milliseconds from there to the frame that shows what is looked for. */
  async visit(path: string, selector: string): Promise<number> {
    await this.page.goto(path, { waitUntil: "commit" });
    return this.page.evaluate<number>(`__await(${JSON.stringify(selector)})`);
  }

  /** Presses something. Returns the milliseconds from there to the frame that shows what is looked for. */
  press(pressed: string, selector: string): Promise<number> {
    return this.page.evaluate<number>(`(async () => {
      const begun = performance.now();
      document.querySelector(${JSON.stringify(pressed)}).click();
      return (await __await(${JSON.stringify(selector)})) - begun;
    })()`);
  }

  /** Returns the longest time (ms) that an interaction took to the next paint, since it was last asked. */
  async slowestInteraction(): Promise<number> {
    return this.page.evaluate<number>("const slowest = __slowest; __slowest = 0; slowest");
  }

  /** Returns the bytes of the heap after everything was collected that can be. */
  async heapBytes(): Promise<number> {
    await this.#devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#devtools.send("Runtime.getHeapUsage");
    return usedSize;
  }

  count(selector: string): Promise<number> {
    return this.page.locator(selector).count();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}
