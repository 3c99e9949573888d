// Drafts in the browser's database, and the messages between its tabs about them.
import { entries } from "idb-keyval";
import {
  type Draft,
  type DraftStore,
  type DraftTab,
  isEmpty,
  newestFirst,
} from "../../../../client/drafts.ts";
import { draftDatabase, draftKey } from "../../../../web/ui/browser/draft-database.ts";
import { dropKept, keep, kept, keptNames } from "../../../../web/ui/browser/kept.ts";
import { keepInTab, keptInTab } from "../../../../web/ui/browser/tab-store.ts";
import { written } from "../../../../web/ui/browser/written.ts";

/** A draft on its way into the database, with the key of the version that it replaces in the same transaction. */
type Noted = Draft & { over?: string };

export function draftStore(ownerId: string): DraftStore {
  const store = draftDatabase();
  const prefix = draftKey(ownerId, "");
  // Asynchronous, so that a browser that throws synchronously for its database rejects a promise instead.
  async function write(noted: Noted) {
    const key = keyOf(ownerId, noted);
    const { over = key } = noted;
    const isNoted = keep(onWay + key, noted);
    try {
      // Writes without reading: each version has its own key, and a closing page would not live to see an answer.
      await written(store, (kept) => {
        kept.delete(over);
        if (!isEmpty(noted)) kept.put(noted, key);
      });
      dropKept(onWay + key);
    } catch (error) {
      // The draft is still kept where it was noted.
      if (!isNoted) throw error;
    }
    if (over !== key) dropKept(onWay + over);
  }
  return {
    async all() {
      const inDatabase = async () => entries<string, Draft>(store);
      const drafts = new Map<string, Draft>(await inDatabase().catch(() => []));
      const over: string[] = [];
      for (const name of keptNames(onWay)) {
        const noted = kept<Noted>(name);
        if (!noted) continue;
        drafts.set(name.slice(onWay.length), noted);
        if (noted.over) over.push(noted.over);
        if (Date.now() - noted.changedAt > longOnWayMs && name.startsWith(onWay + prefix))
          void write(noted).catch(() => {});
      }
      for (const key of over) drafts.delete(key);
      return [...drafts]
        .filter(([key, draft]) => key.startsWith(prefix) && !isEmpty(draft))
        .map(([, draft]) => ({ ...draft, id: draft.id ?? draft.channelId }))
        .sort(newestFirst);
    },
    replace: (before, draft) => write({ ...draft, over: keyOf(ownerId, before) }),
  };
}

/** Drafts of one earlier release had no id, as there was one per channel. */
function keyOf(ownerId: string, { id, channelId }: Draft): string {
  const key = draftKey(ownerId, channelId);
  return id === channelId ? key : `${key}/${id}`;
}

/**
 * Prefix of the drafts on their way into the database; empty ones are deleted there. A page that closes now may not
 * complete the database write, but this one is synchronous. Each has a name of its own, as tabs write concurrently.
 */
const onWay = "draft-on-way/";
/** By then the page that noted the draft has closed. */
const longOnWayMs = 10_000;

const lastKey = "hearth.draft/";

export function thisTab(ownerId: string): DraftTab {
  const others = new BroadcastChannel(`hearth-drafts/${ownerId}`);
  return {
    last: (channelId) => keptInTab(lastKey + channelId),
    note: (channelId, id) => keepInTab(lastKey + channelId, id),
    tell: (told) => others.postMessage(told),
    onTold(heard) {
      others.onmessage = ({ data }) => heard(data);
    },
  };
}
