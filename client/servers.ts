// The servers of a client's copy, and the channels in them.
import type { OwnChannel, OwnChannels } from "../features/channels/state.ts";
import type { ServerEntry } from "./ready.ts";

/** A server as the copy holds it: its channels by id, each with the user's permissions there. */
export interface OwnServer extends Omit<ServerEntry, "channels"> {
  channels: OwnChannels;
}

export function toOwnServer({ channels, ...server }: ServerEntry): OwnServer {
  const { permissions } = server;
  return { ...server, channels: new Map(channels.map((each) => [each.id, { ...each, permissions }])) };
}

interface Servers {
  servers: readonly OwnServer[];
}

/** Returns a channel of any of the copy's servers. */
export function channelIn(copy: Servers | undefined, channelId: string): OwnChannel | undefined {
  return copy?.servers.find(({ channels }) => channels.has(channelId))?.channels.get(channelId);
}
