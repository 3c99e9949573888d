// The servers of a client's copy, and the channels in them.
import { asReadBy, type OwnChannel, type OwnChannels } from "../features/channels/state.ts";
import type { Conversations } from "../features/direct/state.ts";
import { roleHolder } from "../features/roles/state.ts";
import type { ServerEntry } from "./ready.ts";

/** A server as the copy holds it: its channels by id, each with the user's permissions there. */
export interface OwnServer extends Omit<ServerEntry, "channels"> {
  channels: OwnChannels;
}

export function toOwnServer(userId: string, { channels, ...server }: ServerEntry): OwnServer {
  const reader = roleHolder(userId, server, server.role_ids);
  return { ...server, channels: new Map(channels.map((each) => [each.id, asReadBy(reader, each)])) };
}

/** Returns a channel as somebody has it who holds this role alone. */
export function asSeenBy(roleId: string, server: OwnServer, channel: OwnChannel): OwnChannel {
  return asReadBy(roleHolder("", server, [roleId]), channel);
}

interface Places {
  servers: readonly OwnServer[];
  direct: Conversations;
}

/** Returns a channel of any of the copy's servers, or a conversation. */
export function channelIn(copy: Places | undefined, channelId: string): OwnChannel | undefined {
  const server = copy?.servers.find(({ channels }) => channels.has(channelId));
  return copy?.direct.get(channelId) ?? server?.channels.get(channelId);
}

/** Returns the ids of all channels and conversations of a copy. */
export function channelIdsIn({ servers, direct }: Places): ReadonlySet<string> {
  return new Set([...servers.flatMap(({ channels }) => [...channels.keys()]), ...direct.keys()]);
}
