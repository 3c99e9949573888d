// The visible part of a room, for the overlays, which must not render the list again with each pixel.
import { create, type StoreApi, type UseBoundStore } from "zustand";
import type { Seen } from "./steady.ts";

export interface InSight extends Seen {
  /** The New line: above, inside or below the visible part, or not among the loaded rows. */
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
