// Drops the data that this browser stores for one person: when they sign out, and when somebody else signs in.
import { inTime } from "../browser/in-time.ts";
import { ofTheBrowser, prefix, stopWriting } from "./belongings.ts";

/** Drops all data stored here for a person, and ends their push subscription. */
export async function dropBelongings(): Promise<void> {
  stopWriting();
  await endPush();
  // Storage that the browser refuses to open has no data.
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      dropFrom(storage());
    } catch {
      // Refused, so without data.
    }
  }
  try {
    await inTime(emptyDatabases());
  } catch {
    // Refused, so without data.
  }
}

function dropFrom(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "");
  for (const key of keys) if (key.startsWith(prefix) && !ofTheBrowser.has(key)) storage.removeItem(key);
}

/** Unsubscribes in the browser, so that nobody else reads the pushes; the server notices with its next push. */
async function endPush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  } catch {
    // Without a worker, or without permission for one, there are no pushes.
  }
}

async function emptyDatabases(): Promise<void> {
  const databases = await indexedDB.databases();
  await Promise.all(databases.map(({ name }) => (name?.startsWith("hearth") ? emptied(name) : undefined)));
}

/** Empties a database: it cannot be deleted, because other tabs may have it open. */
function emptied(name: string): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => resolve();
    opening.onsuccess = () => {
      const database = opening.result;
      const stores = [...database.objectStoreNames];
      const end = () => {
        database.close();
        resolve();
      };
      if (stores.length === 0) return end();
      const change = database.transaction(stores, "readwrite");
      for (const store of stores) change.objectStore(store).clear();
      change.oncomplete = end;
      change.onabort = end;
    };
  });
}
