// A client's copy of the visible channels of a server.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { without } from "../../protocol/unchanged.ts";
import type { Channel } from "./contract.ts";
import { channelCreated, channelDeleted, channelUpdated } from "./events.ts";

/**
 * Returns the channels with a frame applied, in order of position. CHANNEL_CREATE and CHANNEL_DELETE also come to
 * listeners who gain or lose VIEW_CHANNEL.
 */
export function channelsAfter(channels: readonly Channel[], frame: ServerFrame): readonly Channel[] {
  if (is(frame, channelCreated) || is(frame, channelUpdated)) {
    return [...channels.filter((channel) => channel.id !== frame.data.id), frame.data].sort(byPosition);
  }
  if (is(frame, channelDeleted)) return without(channels, (channel) => channel.id === frame.data.id);
  return channels;
}

function byPosition(one: Channel, other: Channel): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}
