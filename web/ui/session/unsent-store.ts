// Unsent messages in IndexedDB, which survive a reload and the end of the browser. Its tabs notify each other.
import { createStore, entries } from "idb-keyval";
import type { Unsent, UnsentStore } from "../../../client/unsent.ts";
import { dropKept, keep, kept, keptNames } from "../browser/kept.ts";
import { written } from "../browser/written.ts";

/** The key prefix, before a nonce, of messages in local storage: written synchronously until the database has them. */
const onWay = "unsent-on-way/";

/** The word with which a page that is closed takes leave of other tabs. All else that they tell each other are nonces. */
const left = "left";

interface TabsStore extends UnsentStore {
  /** Calls `heard` when another page that uses the same store is closed: it may have left messages. */
  onLeft(heard: () => void): void;
}

export function unsentStore(): TabsStore {
  const store = createStore("hearth-outbox", "unsent");
  const otherTabs = new BroadcastChannel("hearth-outbox");
  const inDatabase = new Set<string>();
  // This page may be closed while its messages wait: another one then sends them.
  addEventListener("pagehide", () => otherTabs.postMessage(left));
  /** Async, so that it rejects when a browser that refuses its database throws synchronously. */
  async function put(unsent: Unsent) {
    await written(store, (kept) => kept.put(unsent, unsent.nonce));
    inDatabase.add(unsent.nonce);
    dropKept(onWay + unsent.nonce);
  }
  async function remove(nonce: string) {
    dropKept(onWay + nonce);
    await written(store, (kept) => kept.delete(nonce));
  }
  return {
    async all() {
      const read = async () => entries<string, Unsent>(store);
      const all = new Map(await read().catch(() => []));
      for (const name of keptNames(onWay)) {
        const noted = kept<Unsent>(name);
        if (noted && !all.has(noted.nonce)) all.set(noted.nonce, noted);
      }
      return [...all.values()];
    },
    async keep(unsent) {
      const isNoted = !inDatabase.has(unsent.nonce) && keep(onWay + unsent.nonce, unsent);
      const putting = put(unsent);
      if (!isNoted) await putting;
      else putting.catch(() => {});
    },
    async drop(nonce) {
      otherTabs.postMessage(nonce);
      await remove(nonce);
    },
    onDropped(heard) {
      otherTabs.addEventListener("message", ({ data: nonce }) => {
        if (nonce === left) return;
        heard(nonce);
        // This tab may have stored it again just before.
        void remove(nonce).catch(() => {});
      });
    },
    onLeft(heard) {
      otherTabs.addEventListener("message", ({ data }) => {
        if (data === left) heard();
      });
    },
  };
}
