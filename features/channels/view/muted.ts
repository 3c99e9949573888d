// Whether the reader has muted a channel, or its server.
import { useCopy } from "../../../web/ui/house.tsx";
import type { Channel } from "../contract.ts";

export function useMuted({ id, server_id }: Channel): boolean {
  return useCopy(({ notificationSettings: { servers, channels } }) =>
    [
      servers.find((each) => each.server_id === server_id),
      channels.find((each) => each.channel_id === id),
    ].some((each) => each?.muted_until != null && Date.parse(each.muted_until) > Date.now()),
  );
}
