// Writes into IndexedDB, also from a page that is being closed.
import { promisifyRequest, type UseStore } from "idb-keyval";
import { inTime } from "./in-time.ts";

/**
 * Commits explicitly. A closing page does not live to see its writes succeed, and the browser rolls back uncommitted
 * transactions: of eight drafts typed right before a reload, seven were lost.
 */
export function written(store: UseStore, write: (kept: IDBObjectStore) => void): Promise<void> {
  const writing = store("readwrite", (kept) => {
    write(kept);
    const done = promisifyRequest(kept.transaction);
    kept.transaction.commit();
    return done;
  });
  return inTime(writing);
}
