// Alice writes and Bob reads, in a house with GIFs; with the composer's text, and the drafts kept in the browser.
import { afterAll, beforeAll } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { GifProviderDouble } from "../doubles/gif-provider.ts";
import type { TestPerson } from "../house/people/people.ts";
import { reachedBy } from "../house/scenes/pictures.ts";
import { atBothAddresses, type Home, inChromium, type Scene, untilSo } from "./scene.ts";

/** The composer of the page. */
export const composer = "main > [class*=foot]";

interface Kitchen {
  scene: Scene;
  gifs: GifProviderDouble;
  alice: TestPerson;
  bob: TestPerson;
  server: Home;
  /** The path of the page of its general channel. */
  path: string;
}

export function inTheKitchen(
  title: string,
  journeys: (kitchen: () => Kitchen) => void,
  declare: typeof inChromium = inChromium,
): void {
  // Anew for each address at which the journeys are declared.
  let gifs: GifProviderDouble;
  let kitchen: Kitchen;
  declare(
    title,
    (scene) => {
      reachedBy(() => scene.house);
      beforeAll(async () => {
        const { alice, bob, server, general } = await scene.twoPeople();
        await alice.post("/channels", { server_id: server.id, name: "recipes" });
        const path = `/servers/${server.id}/channels/${general.id}`;
        kitchen = { scene, gifs, alice, bob, server, path };
      });
      afterAll(() => gifs.stop());
      journeys(() => kitchen);
    },
    () => {
      gifs = new GifProviderDouble();
      return gifs.settings;
    },
  );
}

/** The same at both addresses of the page. */
export function inBothKitchens(title: string, journeys: (kitchen: () => Kitchen) => void): void {
  inTheKitchen(title, journeys, atBothAddresses);
}

/** The last messages of the general channel, the newest first. */
export async function saidIn({ bob, server }: Kitchen) {
  const { body } = await bob.get<{ content: string; reply_to: string | null }[]>(
    `/channels/${server.general.id}/messages?limit=5`,
  );
  return body;
}

export function boxOf(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message #general" });
}

/** Writes a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text);
  await boxOf(page).press("Enter");
}

/** Returns the composer's text, and whether it has the focus. */
export function standing(page: Page): Promise<{ text: string; hasFocus: boolean }> {
  return page.evaluate(
    "(() => { const box = document.querySelector('textarea'); return { text: box.value, hasFocus: box === document.activeElement }; })()",
  );
}

/** True if closing the page would ask for confirmation. */
export function asksBeforeClosing(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
}

/** Pastes as a browser does. Returns whether the page handled it. */
export function paste(page: Page, data: Record<string, string>): Promise<boolean> {
  return page.evaluate<boolean>(
    `(() => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      return !document.querySelector("textarea").dispatchEvent(event);
    })()`,
  );
}

export function holds(page: Page, text: string): Promise<void> {
  return untilSo(page, `document.querySelector("textarea")?.value === ${JSON.stringify(text)}`);
}

export function writes(page: Page): Promise<void> {
  return untilSo(page, "document.activeElement?.tagName === 'TEXTAREA'");
}

/** Waits until a draft in the browser's database satisfies the condition. */
export function kept(page: Page, condition: string): Promise<void> {
  return untilSo(page, isKept(condition));
}

/** Waits until none satisfies it. */
export function keptNoMore(page: Page, condition: string): Promise<void> {
  return untilSo(page, `${isKept(condition)}.then((isKept) => !isKept)`);
}

/** Opens the database only once the page has created it: opening it first would create it without its object store. */
function isKept(condition: string): string {
  return `indexedDB.databases().then((all) => all.some(({ name }) => name === "hearth-drafts") && new Promise((resolve) => {
    const opening = indexedDB.open("hearth-drafts");
    opening.onsuccess = () => {
      const asking = opening.result.transaction("drafts").objectStore("drafts").getAll();
      asking.onsuccess = () => {
        opening.result.close();
        resolve(asking.result.some(({ text, files, replyTo }) => ${condition}));
      };
    };
  }))`;
}
