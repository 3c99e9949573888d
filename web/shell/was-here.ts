// What stood at an address before it led nowhere: a channel that is deleted, or a server that one was put out of.
import { useRef } from "react";
import type { ServerEntry } from "../../client/ready.ts";

export interface WasHere {
  server: { id: string; name: string };
  channel: { id: string; name: string } | undefined;
}

/** Returns what this page showed last at the same address; undefined where it never was anything. */
export function useWasHere(
  serverId: string | undefined,
  server: ServerEntry | undefined,
  channelId: string | undefined,
): WasHere | undefined {
  const last = useRef<WasHere>(undefined);
  const channel = server?.channels.find(({ id }) => id === channelId);
  if (server && (channel || channelId === undefined)) last.current = { server, channel };
  const isSame = last.current?.server.id === serverId && last.current?.channel?.id === channelId;
  return isSame ? last.current : undefined;
}
