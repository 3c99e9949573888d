// Reads every channel back and compares its history with the acknowledged messages.

import { BEFORE_ALL, pagesAfter } from "../client/history.ts";
import type { Room } from "../client/room.ts";

export interface Kept {
  missing: number;
  altered: number;
  /** Messages found that no response ever acknowledged. */
  unknown: number;
}

export async function compareHistory(room: Room, acknowledged: Map<string, string>): Promise<Kept> {
  const left = new Map(acknowledged);
  let altered = 0;
  let unknown = 0;
  for (const channelId of room.channels.values()) {
    for await (const page of pagesAfter(room.owner, channelId, BEFORE_ALL)) {
      for (const message of page) {
        const said = left.get(message.id);
        if (said === undefined) unknown += 1;
        else if (said !== message.content) altered += 1;
        left.delete(message.id);
      }
    }
  }
  return { missing: left.size, altered, unknown };
}
