// The servers of a client's copy, and the channels in them.
import { channelsAfter, type OwnChannel, type OwnChannels } from "../features/channels/state.ts";
import { memberCountAfter } from "../features/members/state.ts";
import { lastMessagesAfter } from "../features/messages/state.ts";
import { presencesAfter } from "../features/presence/state.ts";
import { heldAfter, permissionsBy, rolesAfter } from "../features/roles/state.ts";
import { voiceAfter } from "../features/voice/state.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import { valuesAfter, withFields } from "../protocol/unchanged.ts";
import type { ServerEntry } from "./ready.ts";

/** A server as the copy holds it: its channels by id, each with the user's permissions there. */
export interface OwnServer extends Omit<ServerEntry, "channels"> {
  channels: OwnChannels;
}

export function toOwnServer({ channels, ...server }: ServerEntry): OwnServer {
  const { permissions } = server;
  return { ...server, channels: new Map(channels.map((each) => [each.id, { ...each, permissions }])) };
}

/** `newestOf` is that of `lastMessagesAfter`. */
export function serverAfter(
  server: OwnServer,
  ownId: string,
  frame: ServerFrame,
  newestOf: (channelId: string) => string | null | undefined,
): OwnServer {
  const roles = rolesAfter(server.roles, frame);
  const role_ids = heldAfter(server.role_ids, ownId, frame);
  const permissions = permissionsBy(server.owner_id === ownId, roles, role_ids);
  const channels = lastMessagesAfter(channelsAfter(server.channels, frame, permissions), frame, newestOf);
  return withFields(server, {
    member_count: memberCountAfter(server.member_count, frame),
    roles,
    role_ids,
    permissions,
    channels:
      permissions === server.permissions
        ? channels
        : valuesAfter(channels, (channel) => withFields(channel, { permissions })),
    voice: voiceAfter(server.voice, frame),
    presences: presencesAfter(server.presences, frame),
  });
}

/** Returns a channel of any of the servers. */
export function channelIn(servers: readonly OwnServer[], channelId: string): OwnChannel | undefined {
  for (const { channels } of servers) {
    const channel = channels.get(channelId);
    if (channel) return channel;
  }
  return undefined;
}
