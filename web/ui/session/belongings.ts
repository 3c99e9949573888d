// The data that this browser stores for one person: unsent messages, drafts, choices. It is dropped for anybody else.
import { inTime } from "../browser/in-time.ts";
import { keep, kept } from "../browser/kept.ts";

const prefix = "hearth.";
const owner = "owner";
/** The key for the person who signed in last, and when; its change notifies other tabs. */
export const signedIn = "signed-in";
/** The key for the time of the last deliberate sign-out, which makes other tabs leave as well. */
export const signedOut = "signed-out";

export interface SignedIn {
  userId: string;
  at: number;
}

/** Keys that belong to the browser instead of a person: its appearance, and the state of signing in. */
const ofTheBrowser = new Set(
  ["look", "display-face", owner, signedIn, signedOut].map((name) => prefix + name),
);

const droppers = new Set<() => void>();

/** True if somebody has used this browser before. */
export function wasHere(): boolean {
  return lastOwner() !== undefined;
}

/** True if somebody may be signed in here: the page of a new account has nothing else stored yet. */
export function mayBeSignedIn(): boolean {
  return wasHere() || (kept<SignedIn>(signedIn)?.at ?? 0) > (kept<number>(signedOut) ?? 0);
}

/** Returns the id of the person whose data is stored here; undefined when there is none. */
export function lastOwner(): string | undefined {
  return kept(owner);
}

/** Calls `stop` before the data is dropped, so that no pending write comes after that. */
export function onDrop(stop: () => void): () => void {
  droppers.add(stop);
  return () => droppers.delete(stop);
}

/** Drops the data of anybody else, and makes this person the owner of data stored from now on. */
export async function takeOver(userId: string): Promise<void> {
  if (lastOwner() === userId) return;
  if (wasHere()) await dropBelongings();
  keep(owner, userId);
}

/** Drops all data stored here for a person, and ends their push subscription. */
export async function dropBelongings(): Promise<void> {
  for (const stop of droppers) stop();
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
