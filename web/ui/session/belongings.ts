// The data that this browser stores for one person: unsent messages, drafts, choices. It is dropped for anybody else.
import { keep, kept } from "../browser/kept.ts";
import { persistently } from "../browser/lazily.ts";

export const prefix = "hearth.";
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
export const ofTheBrowser: ReadonlySet<string> = new Set(
  ["look", "display-face", owner, signedIn, signedOut].map((name) => prefix + name),
);

const droppers = new Set<() => void>();

/** True if somebody has used this browser before. */
export function wasHere(): boolean {
  return lastOwner() !== undefined;
}

/** True if somebody may be signed in here: the page of a new account has nothing else stored yet. */
export function mayBeSignedIn(): boolean {
  return wasHere() || signedInLast() !== undefined;
}

/** Returns the id of the person who signed in last; undefined when there is none, or somebody signed out since then. */
export function signedInLast(): string | undefined {
  const last = kept<SignedIn>(signedIn);
  return last && last.at > (kept<number>(signedOut) ?? 0) ? last.userId : undefined;
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

/** Ends pending writes, before the data is dropped. */
export function stopWriting(): void {
  for (const stop of droppers) stop();
}

/** Drops the data of anybody else, and makes this person the owner of data stored from now on. */
export async function takeOver(userId: string): Promise<void> {
  if (lastOwner() === userId) return;
  if (wasHere()) {
    const { dropBelongings } = await persistently(() => import("./dropping.ts"));
    await dropBelongings();
  }
  keep(owner, userId);
}
