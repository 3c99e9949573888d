// The browser's database of drafts: by owner, channel and draft, what was written there and not sent.
import { createStore, keys } from "idb-keyval";
import { inTime } from "./in-time.ts";

export function draftDatabase(): ReturnType<typeof createStore> {
  return createStore("hearth-drafts", "drafts");
}

/** Others may sign in with the same browser: each has drafts of their own. */
export function draftKey(ownerId: string, channelId: string): string {
  return `${ownerId}/${channelId}`;
}

/** Returns how many channels have a draft of somebody's here. */
export async function countDrafts(ownerId: string): Promise<number> {
  try {
    const prefix = draftKey(ownerId, "");
    const own = (await inTime(keys<string>(draftDatabase()))).filter((key) => key.startsWith(prefix));
    return new Set(own.map((key) => key.slice(prefix.length).split("/", 1)[0])).size;
  } catch {
    // Where nothing can be kept, nothing is.
    return 0;
  }
}
