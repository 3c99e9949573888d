// Unsent messages in IndexedDB, which survive a reload and the end of the browser. Its tabs notify each other.
import { createStore, entries } from "idb-keyval";
import type { Unsent, UnsentStore } from "../../../client/unsent.ts";
import { dropKept, keep, kept, keptNames } from "../browser/kept.ts";
import { written } from "../browser/written.ts";

/** The key prefix, before a nonce, of messages in local storage: written synchronously until the database has them. */
const onWay = "unsent-on-way/";

export function unsentStore(): UnsentStore {
  const store = createStore("hearth-outbox", "unsent");
  const otherTabs = new BroadcastChannel("hearth-outbox");
  const inDatabase = new Set<string>();
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
      otherTabs.onmessage = ({ data }) => {
        const nonce = String(data);
        heard(nonce);
        // This tab may have stored it again just before.
        void remove(nonce).catch(() => {});
      };
    },
  };
}
