// A client's copy of read states: by channel id the newest message read, and how many later ones mention the user.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, withFields, without, withoutKeys } from "../../protocol/unchanged.ts";
import type { Channel, Conversation } from "../channels/contract.ts";
import { channelCreated, channelDeleted } from "../channels/events.ts";
import type { SharedMessage } from "../messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../messages/events.ts";
import { serverGained } from "../servers/events.ts";
import type { ReadState } from "./contract.ts";
import { mentionsCounted, readStateUpdated } from "./events.ts";

export type ReadStates = ReadonlyMap<string, ReadState>;

/** The facts that decide whether a message mentions the reader. */
export interface Reader {
  id: string;
  /** The roles that the reader holds in the server of the frame. */
  roleIds: readonly string[];
  /** The people whom the reader blocks. */
  blocked: readonly string[];
}

/**
 * Returns the read states after a frame. `before` is the copy's version of the message that the frame is about; if
 * undefined, its mentions, counted or not, stay as they are until the next marker.
 */
export function readStatesAfter(
  states: ReadStates,
  reader: Reader,
  before: SharedMessage | undefined,
  frame: ServerFrame,
): ReadStates {
  if (is(frame, readStateUpdated)) return new Map(states).set(frame.data.channel_id, frame.data);
  if (is(frame, serverGained)) return withChannels(states, channelsOf(frame.data));
  if (is(frame, channelCreated)) return withChannels(states, [frame.data]);
  if (is(frame, channelDeleted)) return withoutKeys(states, (id) => id === frame.data.id);
  if (is(frame, messageCreated)) return afterMessage(states, reader, frame.data);
  // In a conversation every message counts, so there is no need to know what it said.
  if (is(frame, messageDeleted) && frame.server_id === undefined && !before)
    return counted(states, frame.data, -1);
  return before ? counted(states, before, mentionsChanged(reader, before, frame)) : states;
}

/** Channels that become visible count as read: a READ_STATE_UPDATE follows for each that is not. */
function withChannels(states: ReadStates, channels: readonly (Channel | Conversation)[]): ReadStates {
  const unknown = channels.filter(({ id, type }) => type !== "voice" && !states.has(id));
  if (unknown.length === 0) return states;
  const after = new Map(states);
  for (const { id, last_message_id } of unknown) {
    after.set(id, { channel_id: id, last_read_id: last_message_id, mention_count: 0 });
  }
  return after;
}

function channelsOf(entry: unknown): readonly Channel[] {
  return (entry as { channels?: readonly Channel[] }).channels ?? [];
}

function afterMessage(states: ReadStates, reader: Reader, message: SharedMessage): ReadStates {
  const state = states.get(message.channel_id);
  if (state && message.author.id === reader.id) {
    // The author has read everything before.
    return new Map(states).set(state.channel_id, { ...state, last_read_id: message.id, mention_count: 0 });
  }
  return counted(states, message, mentions(reader, message));
}

/** Returns the read states with the message counted for a reader who blocks other people now. */
export function recounted(
  states: ReadStates,
  message: SharedMessage,
  reader: Reader,
  blocked: readonly string[],
): ReadStates {
  const change = mentions({ ...reader, blocked }, message) - mentions(reader, message);
  return counted(states, message, change);
}

/** The most messages that are known without their channels' pages. */
const mostHeard = 200;

/**
 * Returns the messages heard since READY, in channels with a read state, after a frame; the newest last. A count of the
 * server's includes them.
 */
export function heardAfter(
  messages: readonly SharedMessage[],
  states: ReadStates,
  frame: ServerFrame,
): readonly SharedMessage[] {
  if (is(frame, messageCreated) && states.has(frame.data.channel_id))
    return [...messages, frame.data].slice(-mostHeard);
  if (is(frame, messageUpdated))
    return eachAfter(messages, (each) => (each.id === frame.data.id ? frame.data : each));
  if (is(frame, messageDeleted)) return without(messages, ({ id }) => id === frame.data.id);
  if (is(frame, readStateUpdated))
    return without(messages, ({ channel_id }) => channel_id === frame.data.channel_id);
  return messages;
}

/** Returns the change in the number of mentions of the reader by a frame about the message. */
function mentionsChanged(reader: Reader, before: SharedMessage, frame: ServerFrame): number {
  if (is(frame, messageUpdated)) return mentions(reader, frame.data) - mentions(reader, before);
  return is(frame, messageDeleted) ? -mentions(reader, before) : 0;
}

function counted(
  states: ReadStates,
  { channel_id, id }: Pick<SharedMessage, "channel_id" | "id">,
  change: number,
): ReadStates {
  const state = states.get(channel_id);
  if (!state || (state.last_read_id !== null && id <= state.last_read_id)) return states;
  const mention_count = Math.max(0, Math.min(mentionsCounted, state.mention_count + change));
  const after = withFields(state, { mention_count });
  return after === state ? states : new Map(states).set(channel_id, after);
}

/** Returns 1 if the message counts as a mention of the reader. */
function mentions({ id, roleIds, blocked }: Reader, { author, mentions, server_id }: SharedMessage): 0 | 1 {
  if (author.id === id || blocked.includes(author.id)) return 0;
  if (server_id === null || mentions.everyone || mentions.user_ids.includes(id)) return 1;
  return mentions.role_ids.some((role) => roleIds.includes(role)) ? 1 : 0;
}
