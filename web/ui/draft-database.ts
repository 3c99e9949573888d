// The browser's database of drafts: by owner and channel, what was written there and not sent.
import { createStore, keys } from "idb-keyval";

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
    const all = await keys<string>(draftDatabase());
    return all.filter((key) => key.startsWith(draftKey(ownerId, ""))).length;
  } catch {
    // Where nothing can be kept, nothing is.
    return 0;
  }
}
