// What journeys in a browser begin with: a house, a Chromium, people in a server, and a page on a channel of it.
import { afterAll, beforeAll, describe } from "bun:test";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import type { TestPerson } from "../house/people.ts";
import { until } from "../house/waiting.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

/** How long a whole journey may take: each of its steps has a limit of its own, in `Watched`. */
export const patienceMs = 240_000;

/**
 * How a journey is run: a browser on a machine that others use, too, may be too late for something once in a thousand
 * journeys. The second try says "(attempt 2)" in its line: what needs it again and again is a fault.
 */
export const journey = { timeout: patienceMs, retry: 1 };

export type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

type Settings = Record<string, string>;

export class Scene {
  #house: TestHouse | undefined;
  #browser: Browser | undefined;

  async begin(settings: Settings, browserFlags: readonly string[]): Promise<void> {
    this.#house = await makeHouse("SQLite", { AVATAR_URL: "off", ...settings });
    await this.#house.open();
    this.#browser = await launchChromium(...browserFlags);
  }

  async end(): Promise<void> {
    await this.#browser?.close();
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

  person(name: string): Promise<TestPerson> {
    return this.house.person(name);
  }

  /** Somebody's own browser, in which nobody is signed in. */
  watched(options: BrowserContextOptions = {}): Promise<Watched> {
    return Watched.open(this.browser, this.url, options);
  }

  /** Alice and Bob, in a server of hers. */
  async twoPeople(name = "The kitchen") {
    const [alice, bob] = [await this.person("alice"), await this.person("bob")];
    const server = await alice.makeServer(name);
    await alice.bringIn(server.id, bob);
    return { alice, bob, server, general: server.general };
  }

  /** A browser of this person, on the first channel of this server; it may complain of what is allowed. */
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

/** Declares journeys in a house of their own, by a browser of their own; without Chromium they are skipped. */
export function inChromium(
  title: string,
  journeys: (scene: Scene) => void,
  settings: (scene: Scene) => Settings | Promise<Settings> = () => ({}),
  browserFlags: readonly string[] = [],
): void {
  const here = chromiumPath ? "" : " (skipped: no Chromium here)";
  describe.skipIf(!chromiumPath)(`${title} in Chromium${here}`, () => {
    const scene = new Scene();
    beforeAll(async () => scene.begin(await settings(scene), browserFlags), patienceMs);
    afterAll(() => scene.end(), patienceMs);
    journeys(scene);
  });
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, { username, password }: TestPerson): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(username);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export function rowOf(page: Page, { id }: Pick<Message, "id">): Locator {
  return page.locator(`article[data-message-id="${id}"]`);
}

/** The id of the message that has the focus or holds it, or the name of the element that has it. */
export function focusedMessage(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement?.closest("[data-message-id]")?.dataset.messageId ?? document.activeElement?.tagName ?? ""`,
  );
}

/** Until a part that comes behind the first message is there, and was run. */
export function untilPart(page: Page, name: string): Promise<void> {
  return untilSo(
    page,
    `performance.getEntriesByType("resource").some(({ name, responseEnd }) => responseEnd > 0 && responseEnd < performance.now() - 200 && /\\/${name}-[^/]*\\.js$/.test(name))`,
  );
}

/** Waits for something of the page, whose policy lets no test wait within it. */
export function untilSo(page: Page, condition: string): Promise<void> {
  return until(() => page.evaluate<boolean>(condition), `never so: ${condition}`);
}

/** Whether something has the focus that is not the page itself. */
export function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate("document.activeElement !== null && document.activeElement !== document.body");
}
