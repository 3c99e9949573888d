// A probe of the storage of this browser.
import { dropKept, keep } from "./kept.ts";

const name = "probe";

/** True if what is stored stays: some browsers refuse storage, or have no room. */
export function canKeep(): boolean {
  const isKept = keep(name, true);
  dropKept(name);
  return isKept;
}
