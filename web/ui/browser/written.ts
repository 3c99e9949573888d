// Writing into the browser's database, also by a page that is going.
import { promisifyRequest, type UseStore } from "idb-keyval";
import { inTime } from "./in-time.ts";

/**
 * Commits at once. A page that goes does not live to see its writes succeed, and the browser undoes what nobody
 * committed: of eight drafts typed right before a reload seven were lost.
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
