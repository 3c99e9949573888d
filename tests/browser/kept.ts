// The snapshot that a page keeps in its browser for its next start.
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";

/** The names of the entries of the snapshot. */
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

/** The contents of all of Hearth's databases in the browser, as JSON. */
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

/** Waits until a channel is saved. The page saves when it is hidden, so that event is dispatched to save time. */
export async function untilKept(page: Page, channelId: string): Promise<void> {
  await until(async () => {
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    return (await kept(page)).includes(`messages/${channelId}`);
  }, "what was seen is not kept");
}

/** Leaves the page and deletes its snapshot, so that the next start is like a first one. */
export async function forgetKept(page: Page): Promise<void> {
  await page.goto("/manifest.webmanifest");
  await page.evaluate<void>(`new Promise((done, failed) => {
    const request = indexedDB.deleteDatabase("hearth-snapshot");
    request.onsuccess = () => done();
    request.onerror = failed;
  })`);
}

/** A script that keeps a choice in the browser before its page begins; an empty page keeps nothing. */
export function keeps(key: string, value: unknown): string {
  const kept = JSON.stringify(JSON.stringify(value));
  return `if (origin !== "null") localStorage.setItem("hearth.${key}", ${kept});`;
}
