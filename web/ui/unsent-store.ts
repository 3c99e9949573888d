// Unsent messages in the browser's database: they survive a reload, and the browser's end. Its tabs hear of each other.
import { createStore, entries } from "idb-keyval";
import type { Unsent, UnsentStore } from "../../client/unsent.ts";
import { written } from "./written.ts";

export function unsentStore(): UnsentStore {
  const store = createStore("hearth-outbox", "unsent");
  const otherTabs = new BroadcastChannel("hearth-outbox");
  return {
    all: async () => (await entries<string, Unsent>(store)).map(([, unsent]) => unsent),
    // A browser that refuses its database throws at once: asynchronous, so that it is a promise that fails.
    keep: async (unsent) => written(store, (kept) => kept.put(unsent, unsent.nonce)),
    async drop(nonce) {
      otherTabs.postMessage(nonce);
      await written(store, (kept) => kept.delete(nonce));
    },
    onDropped(heard) {
      otherTabs.onmessage = ({ data }) => heard(String(data));
    },
  };
}
