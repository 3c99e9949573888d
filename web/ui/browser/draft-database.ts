// The browser's database of drafts: unsent text by owner, channel and draft.
import { createStore, keys } from "idb-keyval";
import { inTime } from "./in-time.ts";

export function draftDatabase(): ReturnType<typeof createStore> {
  return createStore("hearth-drafts", "drafts");
}

/** Returns the key of a channel's drafts. Several people may use the same browser, each with their own drafts. */
export function draftKey(ownerId: string, channelId: string): string {
  return `${ownerId}/${channelId}`;
}

/** Returns the number of channels with a draft of this person in this browser. */
export async function countDrafts(ownerId: string): Promise<number> {
  try {
    const prefix = draftKey(ownerId, "");
    const own = (await inTime(keys<string>(draftDatabase()))).filter((key) => key.startsWith(prefix));
    return new Set(own.map((key) => key.slice(prefix.length).split("/", 1)[0])).size;
  } catch {
    // Without a database there are no drafts.
    return 0;
  }
}
