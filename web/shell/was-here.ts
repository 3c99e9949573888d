// The former content of an address that leads nowhere: a deleted channel, or a server that the reader was removed from.
import { useRef } from "react";
import type { OwnServer } from "../../client/servers.ts";

export interface WasHere {
  server: { id: string; name: string };
  channel: { id: string; name: string } | undefined;
}

/** Returns what the page last showed at this address; undefined if it never showed anything there. */
export function useWasHere(
  serverId: string | undefined,
  server: OwnServer | undefined,
  channelId: string | undefined,
): WasHere | undefined {
  const last = useRef<WasHere>(undefined);
  const channel = server?.channels.get(channelId ?? "");
  if (server && (channel || channelId === undefined)) last.current = { server, channel };
  const isSame = last.current?.server.id === serverId && last.current?.channel?.id === channelId;
  return isSame ? last.current : undefined;
}
