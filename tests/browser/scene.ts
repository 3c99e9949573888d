// The setting of browser journeys: a house, a Chromium, people in a server, and a page on one of its channels.
import { afterAll, beforeAll, describe } from "bun:test";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import {
  chromiumPath,
  closeContexts,
  plainName,
  sharedChromium,
  wholeBrowser,
  wholeChromiumPath,
} from "./chromium.ts";
import { Watched } from "./watched.ts";

/** Timeout in ms of a whole journey: each of its steps has a timeout of its own, in `Watched`. */
export const patienceMs = 400_000;

/** Options for the test of a journey. */
export const journey = { timeout: patienceMs };

export type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

type Settings = Record<string, string>;

export class Scene {
  readonly #pageHost: string | undefined;
  #house: TestHouse | undefined;
  #browser: Browser | undefined;

  constructor(pageHost?: string) {
    this.#pageHost = pageHost;
  }

  async begin(settings: Settings, browserFlags: readonly string[]): Promise<void> {
    this.#house = await makeHouse("SQLite", { AVATAR_URL: "off", ...settings });
    await this.#house.open();
    this.#browser = await sharedChromium(...browserFlags);
  }

  async end(): Promise<void> {
    await closeContexts(this.#browser);
    await this.#house?.end();
  }

  get house(): TestHouse {
    if (!this.#house) throw new Error("the scene has not begun");
    return this.#house;
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error("the scene has not begun");
    return this.#browser;
  }

  get url(): string {
    return this.house.url;
  }

  /** The address of the page for browsers. */
  get pageUrl(): string {
    return this.#pageHost ? this.url.replace(new URL(this.url).hostname, this.#pageHost) : this.url;
  }

  person(name: string): Promise<TestPerson> {
    return this.house.person(name);
  }

  /** Opens a separate browser, signed out. */
  watched(options: BrowserContextOptions = {}): Promise<Watched> {
    return Watched.open(this.browser, this.pageUrl, options);
  }

  /** Alice and Bob, in a server of hers. */
  async twoPeople(name = "The kitchen") {
    const [alice, bob] = [await this.person("alice"), await this.person("bob")];
    const server = await alice.makeServer(name);
    await alice.bringIn(server.id, bob);
    return { alice, bob, server, general: server.general };
  }

  /** Opens this person's browser on the server's first channel; complaints that match `allowed` are expected. */
  async open(
    person: TestPerson,
    { id, general }: Home,
    options: BrowserContextOptions = {},
    ...allowed: RegExp[]
  ) {
    const watched = await this.watched(options);
    for (const complaint of allowed) watched.allow(complaint);
    const page = await watched.page(`/servers/${id}/channels/${general.id}`, person);
    await page.getByRole("main", { name: general.name }).waitFor();
    return { watched, page };
  }
}

/** Declares journeys with a house of their own, in a browser with these flags. Skipped where Chromium is missing. */
export function inChromium(
  title: string,
  journeys: (scene: Scene) => void,
  settings: (scene: Scene) => Settings | Promise<Settings> = () => ({}),
  browserFlags: readonly string[] = [],
  pageHost?: string,
): void {
  const path = browserFlags.includes(wholeBrowser) ? wholeChromiumPath : chromiumPath;
  const here = path ? "" : " (skipped: no Chromium here)";
  describe.skipIf(!path)(`${title} in Chromium${here}`, () => {
    const scene = new Scene(pageHost);
    beforeAll(async () => scene.begin(await settings(scene), browserFlags), patienceMs);
    afterAll(() => scene.end(), patienceMs);
    journeys(scene);
  });
}

/** Settings of a server with voice, for journeys in which nobody joins a call. */
export const withVoice = (): Settings => ({
  LIVEKIT_URL: "ws://127.0.0.1:9",
  LIVEKIT_API_KEY: "devkey",
  LIVEKIT_API_SECRET: "a secret of tests that is long enough for LiveKit",
});

/** Declares journeys twice: at localhost with all features of the browser, and at a name without https, as at home. */
export const atBothAddresses: typeof inChromium = (title, journeys, settings, browserFlags) => {
  inChromium(title, journeys, settings, browserFlags);
  atPlainName(title, journeys, settings, browserFlags);
};

/** Declares journeys at a name without https. */
export const atPlainName: typeof inChromium = (title, journeys, settings, browserFlags) =>
  inChromium(`${title}, at a name without https,`, journeys, settings, browserFlags, plainName);

/** The same as `inChromium`, in the whole browser. */
export const inWholeChromium: typeof inChromium = (title, journeys, settings, browserFlags = []) =>
  inChromium(title, journeys, settings, [wholeBrowser, ...browserFlags]);

/** Signs in on the sign-in page. */
export async function signIn(page: Page, { username, password }: TestPerson): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(username);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export function rowOf(page: Page, { id }: Pick<Message, "id">): Locator {
  return page.locator(`article[data-message-id="${id}"]`);
}

/** The id of the message that has or contains the focus, or else the tag name of the focused element. */
export function focusedMessage(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement?.closest("[data-message-id]")?.dataset.messageId ?? document.activeElement?.tagName ?? ""`,
  );
}

/** Waits until a part that loads after the first message was loaded and run. */
export function untilPart(page: Page, name: string): Promise<void> {
  return untilSo(
    page,
    `(async () => {
      const isPart = ({ name, responseEnd }) => responseEnd > 0 && /\\/${name}-[^/]*\\.js$/.test(name);
      const part = performance.getEntriesByType("resource").find(isPart);
      if (!part) return false;
      // It has come, and is to have begun its work, too: whoever asked for it before this script has it before.
      await import(part.name);
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return true;
    })()`,
  );
}

/**
 * Polls until a condition in the page holds: the page's policy forbids waiting inside of it. While the page navigates
 * or an element is replaced, the condition counts as false.
 */
export async function untilSo(page: Page, condition: string): Promise<void> {
  let fault = "";
  const isSo = () =>
    page.evaluate<boolean>(condition).catch((error) => {
      fault = ` (${error})`;
      return false;
    });
  await until(isSo, "").catch(() => {
    throw new Error(`never so: ${condition}${fault}`);
  });
}

/** Reads from a page that may be navigating by itself. */
export async function readFrom<T>(page: Page, script: string): Promise<T> {
  for (;;) {
    try {
      return await page.evaluate<T>(script);
    } catch (error) {
      if (!String(error).includes("context was destroyed")) throw error;
      await page.waitForLoadState();
    }
  }
}

/** Watches for an element that appears only briefly. Returns a function that waits until it has appeared. */
export async function watchFor(page: Page, selector: string): Promise<() => Promise<void>> {
  const wanted = JSON.stringify(selector);
  await page.evaluate(`{
    const seen = (globalThis.seenOnce ??= new Set());
    const look = () => document.querySelector(${wanted}) && seen.add(${wanted});
    new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true });
  }`);
  return () => untilSo(page, `seenOnce.has(${wanted})`);
}

/** The toolbar of the row below the pointer; a list that is still moving takes the row away from there. */
export async function barOf(row: Locator): Promise<Locator> {
  const bar = row.getByRole("toolbar", { name: "Message actions" });
  await until(async () => {
    await row.hover();
    return bar.waitFor({ timeout: barMs }).then(
      () => true,
      () => false,
    );
  }, "the row has no bar");
  return bar;
}

/** Chooses an action on a message from the menu of its bar. */
export async function chooseAction(row: Locator, name: string): Promise<void> {
  await (await barOf(row)).getByRole("button", { name: "More", exact: true }).click();
  await row.page().getByRole("menuitem", { name, exact: true }).click();
}

/** Timeout in ms for the toolbar of a row, before the pointer is moved onto the row again. */
const barMs = 3000;

/** Waits up to `withinMs` for an element. Returns whether it came. */
export function comes(wanted: Locator, withinMs: number): Promise<boolean> {
  return wanted.waitFor({ timeout: withinMs }).then(
    () => true,
    () => false,
  );
}

/** True if an element other than the page itself has the focus. */
export function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate("document.activeElement !== null && document.activeElement !== document.body");
}
