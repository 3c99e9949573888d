// The snapshot of the page for its next start, in IndexedDB.
import { createStore, entries } from "idb-keyval";
import type { SnapshotStore } from "../../../client/snapshot.ts";
import { written } from "../browser/written.ts";

/** All operations reject when the database is refused. */
export function snapshotStore(): SnapshotStore {
  const store = createStore("hearth-snapshot", "snapshot");
  return {
    all: async () => entries<string, unknown>(store),
    keep: async (added, gone) =>
      written(store, (kept) => {
        if (!gone) kept.clear();
        for (const [name, value] of added) kept.put(value, name);
        for (const name of gone ?? []) kept.delete(name);
      }),
  };
}
