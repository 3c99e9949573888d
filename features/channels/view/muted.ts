// Whether the reader has muted a channel, or its server.
import { isMuted } from "../../../client/unread.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { Channel } from "../contract.ts";

export function useMuted(channel: Channel): boolean {
  return useCopy((copy) => isMuted(copy, channel));
}
