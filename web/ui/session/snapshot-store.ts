// What this browser keeps of the page for its next start, in its database.
import { createStore, entries } from "idb-keyval";
import type { SnapshotStore } from "../../../client/snapshot.ts";
import { written } from "../browser/written.ts";

/** Where the database is refused, each of them is rejected. */
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
