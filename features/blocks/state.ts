// A client's copy of whom the user blocks.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { blocksUpdated } from "./events.ts";

/** Returns the ids of the blocked people after a frame. */
export function blockedAfter(blocked: readonly string[], frame: ServerFrame): readonly string[] {
  return is(frame, blocksUpdated) ? frame.data.user_ids : blocked;
}
