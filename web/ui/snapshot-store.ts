// What this browser keeps of the page for its next start, in its database.
import { clear, createStore, delMany, entries, setMany } from "idb-keyval";
import type { SnapshotStore } from "../../client/snapshot.ts";

/** Where the database is refused, each of them is rejected. */
export function snapshotStore(): SnapshotStore {
  const store = createStore("hearth-snapshot", "snapshot");
  return {
    all: async () => entries<string, unknown>(store),
    keep: async (added) => {
      if (added.length > 0)
        await setMany(
          added.map(([name, value]): [string, unknown] => [name, value]),
          store,
        );
    },
    drop: async (names) => {
      if (names.length > 0) await delMany([...names], store);
    },
    clear: async () => clear(store),
  };
}
