// What of a room is in sight now: for what lies over the list, and is not to draw the list again with each pixel.
import { create, type StoreApi, type UseBoundStore } from "zustand";
import type { Seen } from "./steady.ts";

export interface InSight extends Seen {
  /** The New line: above what is in sight, in it, below it, or not among what is loaded. */
  fresh: "above" | "inside" | "below" | "nowhere";
}

export type UseSeen = UseBoundStore<StoreApi<InSight>>;

export function seenStore(): UseSeen {
  return create<InSight>(() => ({
    isAtBottom: true,
    first: 0,
    last: 0,
    above: 0,
    below: 0,
    fresh: "nowhere",
  }));
}
