// What this browser keeps for one person: unsent messages, drafts, small choices. Nobody else finds them here.
import { inTime } from "../browser/in-time.ts";
import { keep, kept } from "../browser/kept.ts";

const prefix = "hearth.";
const owner = "owner";
/** How the page looks belongs to the screen; and which tab is signed in says nothing of anybody's. */
const ofTheBrowser = new Set(
  ["look", "display-face", owner, "signed-in", "signed-out"].map((name) => prefix + name),
);

const droppers = new Set<() => void>();

/** Whether somebody has used this browser before. */
export function wasHere(): boolean {
  return lastOwner() !== undefined;
}

/** Whose belongings are here; undefined: nobody's. */
export function lastOwner(): string | undefined {
  return kept(owner);
}

/** Calls `stop` before belongings are dropped: what is on its way to be kept would come after them. */
export function onDrop(stop: () => void): () => void {
  droppers.add(stop);
  return () => droppers.delete(stop);
}

/** Drops what is here of anybody else, and what comes from now on is this person's. */
export async function takeOver(userId: string): Promise<void> {
  if (lastOwner() === userId) return;
  if (wasHere()) await dropBelongings();
  keep(owner, userId);
}

/** Drops everything that is kept here for a person, and ends what is pushed to them here. */
export async function dropBelongings(): Promise<void> {
  for (const stop of droppers) stop();
  await endPush();
  // What the browser refuses to open keeps nothing.
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      dropFrom(storage());
    } catch {
      // As said.
    }
  }
  try {
    await inTime(emptyDatabases());
  } catch {
    // As said.
  }
}

function dropFrom(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "");
  for (const key of keys) if (key.startsWith(prefix) && !ofTheBrowser.has(key)) storage.removeItem(key);
}

/** The browser gives the address up, and the server learns so with its next push: nobody reads what is for somebody else. */
async function endPush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  } catch {
    // Without a worker, or without leave to have one, nothing is pushed.
  }
}

async function emptyDatabases(): Promise<void> {
  const databases = await indexedDB.databases();
  await Promise.all(databases.map(({ name }) => (name?.startsWith("hearth") ? emptied(name) : undefined)));
}

/** Other tabs may have the database open, so it cannot be deleted; what is in it can. */
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
