// A client's copy of the channels that its user can see.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { type Override, type RoleHolder, resolve } from "../../protocol/overrides.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import { valuesAfter, withFields, withoutKeys } from "../../protocol/unchanged.ts";
import type { User } from "../accounts/contract.ts";
import type { Channel, Conversation } from "./contract.ts";
import { channelCreated, channelDeleted, channelUpdated, overridesUpdated } from "./events.ts";

/** A channel as its reader has it. */
export interface OwnChannel extends Omit<Channel, "server_id" | "type"> {
  /** Null outside of servers. */
  server_id: string | null;
  type: (Channel | Conversation)["type"];
  /** The reader's permissions in the channel. */
  permissions: number;
  /** The people of a conversation. */
  recipients?: readonly User[];
  /** True if @everyone is denied the sight of it. */
  isPrivate: boolean;
}

/** By id, in no order: `inOrder` of the views returns them as they are listed. */
export type OwnChannels = ReadonlyMap<string, OwnChannel>;

/**
 * Returns the channels with a frame applied. CHANNEL_CREATE and CHANNEL_DELETE also come to listeners who gain or lose
 * VIEW_CHANNEL.
 */
export function channelsAfter(channels: OwnChannels, frame: ServerFrame, reader: RoleHolder): OwnChannels {
  if (is(frame, channelCreated) || is(frame, channelUpdated))
    return frame.data.server_id === null
      ? channels
      : new Map(channels).set(frame.data.id, asReadBy(reader, frame.data));
  if (is(frame, channelDeleted)) return withoutKeys(channels, (id) => id === frame.data.id);
  if (!is(frame, overridesUpdated)) return channels;
  const { channel_id, overrides } = frame.data;
  const channel = channels.get(channel_id);
  if (!channel) return channels;
  const { overrides: _, ...bare } = channel;
  const now = overrides.length > 0 ? { ...bare, overrides } : bare;
  return new Map(channels).set(channel_id, asReadBy(reader, now));
}

/** Returns the channels with the reader's permissions, after something else than a channel changed. */
export function withReader(channels: OwnChannels, reader: RoleHolder): OwnChannels {
  return valuesAfter(channels, (channel) => withFields(channel, inChannel(reader, channel.overrides)));
}

/** Adds what no event carries, because it differs by listener. */
export function asReadBy<C extends { id: string; overrides?: readonly Override[] | undefined }>(
  reader: RoleHolder,
  channel: C,
) {
  return { ...channel, ...inChannel(reader, channel.overrides) };
}

function inChannel(
  reader: RoleHolder,
  overrides: readonly Override[] = [],
): Pick<OwnChannel, "permissions" | "isPrivate"> {
  const everyone = reader.roles.find(({ isDefault }) => isDefault)?.id;
  const ofEveryone = overrides.find(({ id }) => id === everyone);
  return {
    permissions: resolve(reader, overrides).at(-1)?.result ?? 0,
    isPrivate: holds({ bits: ofEveryone?.deny ?? 0 }, permission.VIEW_CHANNEL),
  };
}
