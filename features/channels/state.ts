// A client's copy of the channels that its user can see.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { valuesAfter, withFields, withoutKeys } from "../../protocol/unchanged.ts";
import type { Channel } from "./contract.ts";
import { channelCreated, channelDeleted, channelUpdated } from "./events.ts";

/** A channel as its reader has it. */
export interface OwnChannel extends Omit<Channel, "server_id"> {
  /** Null outside of servers. */
  server_id: string | null;
  /** The reader's permissions in the channel. */
  permissions: number;
}

/** By id, in no order: `inOrder` of the views returns them as they are listed. */
export type OwnChannels = ReadonlyMap<string, OwnChannel>;

/**
 * Returns the channels with a frame applied. CHANNEL_CREATE and CHANNEL_DELETE also come to listeners who gain or lose
 * VIEW_CHANNEL. No event carries permissions: `permissions` are those after the frame.
 */
export function channelsAfter(channels: OwnChannels, frame: ServerFrame, permissions: number): OwnChannels {
  if (is(frame, channelCreated) || is(frame, channelUpdated))
    return new Map(channels).set(frame.data.id, { ...frame.data, permissions });
  if (is(frame, channelDeleted)) return withoutKeys(channels, (id) => id === frame.data.id);
  return valuesAfter(channels, (channel) => withFields(channel, { permissions }));
}
