// A person's browser in a test, watched throughout: no console errors, policy violations, or requests to other hosts.
import { expect } from "bun:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { TestPerson } from "../house/people/people.ts";

/** Timeout in ms of one step, as machines that run tests are busy. */
const stepMs = 120_000;

/** The browser's warning when a preloaded font is not used within three seconds, as on a busy machine. */
const late = /\.woff2 was preloaded using link preload but not used within a few seconds/;

/**
 * The worker fetches the whole page for its next start, a quarter of the work of a short journey: journeys that are not
 * about it block it, as many others run with it.
 */
export const withoutWorker: BrowserContextOptions = { serviceWorkers: "block" };

/** The browser's warning about a header that counts only at trustworthy addresses. */
const plain =
  /^The Cross-Origin-Opener-Policy header has been ignored, because the URL's origin was untrustworthy/;

export class Watched {
  readonly context: BrowserContext;
  readonly #url: string;
  readonly #complaints: string[] = [];
  readonly #allowed: RegExp[] = [];

  private constructor(context: BrowserContext, url: string) {
    this.context = context;
    this.#url = url;
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await browser.newContext({ baseURL: url, locale: "en-GB", ...options });
    context.setDefaultTimeout(stepMs);
    const watched = new Watched(context, url);
    if (options.serviceWorkers === "block") watched.allow(/Service Worker registration blocked/);
    await context.addInitScript(
      `addEventListener("securitypolicyviolation", (event) => console.error("refused: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));`,
    );
    context.on("page", (page) => watched.#watch(page));
    return watched;
  }

  /** Opens a page, signed in as this person. */
  async page(path: string, person?: TestPerson): Promise<Page> {
    if (person) {
      const { hostname } = new URL(this.#url);
      await this.context.addCookies([
        {
          name: "app_session",
          value: person.token,
          domain: hostname,
          path: "/",
          httpOnly: true,
          sameSite: "Lax",
        },
      ]);
    }
    const page = await this.context.newPage();
    await page.goto(path);
    return page;
  }

  /** Expects complaints like this one, such as an error response that the test provokes. */
  allow(complaint: RegExp): void {
    this.#allowed.push(complaint);
  }

  /** Closes the browser of this person. Fails on any unexpected complaint. */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.#complaints).toEqual([]);
  }

  #watch(page: Page): void {
    const { host } = new URL(this.#url);
    page.on("console", (message) => {
      const text = message.text();
      if (["error", "warning"].includes(message.type()) && !late.test(text) && !plain.test(text))
        this.#complain(text);
    });
    page.on("pageerror", (error) => this.#complain(String(error)));
    page.on("request", (request) => {
      const asked = new URL(request.url());
      if (asked.host !== host && !["data:", "blob:"].includes(asked.protocol))
        this.#complain(`asked ${asked.host}`);
    });
  }

  #complain(text: string): void {
    if (!this.#allowed.some((allowed) => allowed.test(text))) this.#complaints.push(text);
  }
}
