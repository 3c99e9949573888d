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

/**
 * Notes when something is first drawn, and how long each key took to the end of the frame that shows it. The browser's own
 * Event Timing counts to when a screen has shown it: without one that is told late, all at once, or never.
 */
const noting = `
  window.__keys = [];
  const noteKey = ({ type, timeStamp }) => {
    const keys = window.__keys;
    if (type === "keydown") keys.push(0);
    const at = keys.length - 1;
    const { port1, port2 } = new MessageChannel();
    requestAnimationFrame(() => port1.postMessage(""));
    port2.onmessage = () => { keys[at] = Math.max(keys[at], performance.now() - timeStamp); };
  };
  for (const kind of ["keydown", "keyup"]) addEventListener(kind, noteKey, { capture: true });
  window.__await = (selector) => new Promise((done) => {
    // What is sent while a frame is made arrives when it is drawn.
    const { port1, port2 } = new MessageChannel();
    const look = () => requestAnimationFrame(() => port1.postMessage(""));
    port2.onmessage = () => document.querySelector(selector) ? done(performance.now()) : look();
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

  /** Returns the times (ms) from each key to the end of the frame that shows it, since it was last asked; the longest first. */
  async keys(): Promise<number[]> {
    const taken = await this.page.evaluate<number[]>("const keys = __keys; __keys = []; keys");
    return taken.sort((one, other) => other - one);
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
