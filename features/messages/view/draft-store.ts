// Drafts in the browser's database, and what its tabs tell each other of them.
import { entries } from "idb-keyval";
import {
  type Draft,
  type DraftStore,
  type DraftTab,
  draftsMost,
  isEmpty,
  newestFirst,
} from "../../../client/drafts.ts";
import { draftDatabase, draftKey } from "../../../web/ui/draft-database.ts";
import { dropKept, keep, kept, keptNames } from "../../../web/ui/kept.ts";
import { dropFromTab, keepInTab, keptInTab } from "../../../web/ui/tab-store.ts";
import { written } from "../../../web/ui/written.ts";

export function draftStore(ownerId: string): DraftStore {
  const store = draftDatabase();
  const prefix = draftKey(ownerId, "");
  // A browser that refuses its database throws at once: asynchronous, so that it is a promise that fails.
  async function write(draft: Draft) {
    const key = keyOf(ownerId, draft);
    const isNoted = keep(onWay + key, draft);
    try {
      await written(store, (kept) => (isEmpty(draft) ? kept.delete(key) : kept.put(draft, key)));
    } catch (error) {
      // Then it is kept where it is noted.
      if (isNoted) return;
      throw error;
    }
    // Unless a newer one is on its way by now.
    if (kept<Draft>(onWay + key)?.changedAt === draft.changedAt) dropKept(onWay + key);
  }
  const drop = (draft: Draft) => write({ ...draft, text: "", replyTo: null, files: [] });
  return {
    async all() {
      const inDatabase = async () => entries<string, Draft>(store);
      const drafts = new Map<string, Draft>(await inDatabase().catch(() => []));
      for (const name of keptNames(onWay)) {
        const noted = kept<Draft>(name);
        if (!noted) continue;
        drafts.set(name.slice(onWay.length), noted);
        if (Date.now() - noted.changedAt > longOnWayMs && name.startsWith(onWay + prefix))
          void write(noted).catch(() => {});
      }
      const all = [...drafts]
        .filter(([key, draft]) => key.startsWith(prefix) && !isEmpty(draft))
        .map(([, draft]) => ({ ...draft, id: draft.id ?? draft.channelId }))
        .sort(newestFirst);
      for (const old of all.splice(draftsMost)) void drop(old).catch(() => {});
      return all;
    },
    keep: write,
    drop,
  };
}

/** What one release kept had no id: it was the one of its channel. */
function keyOf(ownerId: string, { id, channelId }: Draft): string {
  const key = draftKey(ownerId, channelId);
  return id === channelId ? key : `${key}/${id}`;
}

/**
 * What is on its way into the database; what is empty is dropped there. A page that goes in this moment may not get it
 * into the database, but here at once. Each has a name of its own, as tabs write beside each other.
 */
const onWay = "draft-on-way/";
/** By then the page that noted it has gone. */
const longOnWayMs = 10_000;

const lastKey = "hearth.draft/";

export function thisTab(): DraftTab {
  const others = new BroadcastChannel("hearth-drafts");
  return {
    last: (channelId) => keptInTab(lastKey + channelId),
    note: (channelId, id) =>
      id === undefined ? dropFromTab(lastKey + channelId) : keepInTab(lastKey + channelId, id),
    tell: (taken) => others.postMessage(taken),
    onTold(heard) {
      others.onmessage = ({ data }) => heard(data);
    },
  };
}
