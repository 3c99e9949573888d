// Whether the reader has muted a channel, or its server.
import { isMuted } from "../../../client/unread.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../state.ts";

export function useMuted(channel: OwnChannel): boolean {
  return useCopy((copy) => isMuted(copy, channel));
}
