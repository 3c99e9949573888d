// A client's copy of the user's blocks.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { blocksUpdated } from "./events.ts";

/** Returns the ids of the blocked people with a frame applied. */
export function blockedAfter(blocked: readonly string[], frame: ServerFrame): readonly string[] {
  return is(frame, blocksUpdated) ? frame.data.user_ids : blocked;
}
