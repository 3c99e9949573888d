// The marks of a server: the reader's unread mentions in its channels, and whether anything there wants reading.
import type { Copy } from "../../../client/copy.ts";
import type { OwnServer } from "../../../client/servers.ts";
import { wantsReading } from "../../../client/unread.ts";

export function mentionsOf({ readStates }: Copy, { channels }: OwnServer): number {
  let sum = 0;
  for (const id of channels.keys()) sum += readStates.get(id)?.mention_count ?? 0;
  return sum;
}

export function isUnreadIn(copy: Copy, { channels }: OwnServer): boolean {
  return [...channels.values()].some((channel) => wantsReading(copy, channel));
}
