// What a page keeps in its browser for its next start.
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";

/** The names of what the browser keeps for the next start. */
export function kept(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === "hearth-snapshot")) return [];
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(indexedDB.open("hearth-snapshot"));
    const keys = await done(database.transaction("snapshot").objectStore("snapshot").getAllKeys());
    database.close();
    return keys;
  })()`);
}

/** Everything that the browser's databases of Hearth hold, as JSON. */
export function keptText(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const all = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        all.push(await done(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    return JSON.stringify(all);
  })()`);
}

/** The page writes when it is hidden, among others; that is said here, as nobody has the time. */
export async function untilKept(page: Page, channelId: string): Promise<void> {
  await until(async () => {
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    return (await kept(page)).includes(`messages/${channelId}`);
  }, "what was seen is not kept");
}

/** Leaves the page, so that its next start is as a first one: what was kept would stand there at once. */
export async function forgetKept(page: Page): Promise<void> {
  await page.goto("/manifest.webmanifest");
  await page.evaluate<void>(`new Promise((done, failed) => {
    const request = indexedDB.deleteDatabase("hearth-snapshot");
    request.onsuccess = () => done();
    request.onerror = failed;
  })`);
}
