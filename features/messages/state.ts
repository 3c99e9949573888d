// A client's copy of a channel's newest messages, and how messages change the lists of channels and typists.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, valuesAfter, withFields, without } from "../../protocol/unchanged.ts";
import type { Author } from "../accounts/contract.ts";
import { userUpdated } from "../accounts/events.ts";
import type { OwnChannels } from "../channels/state.ts";
import { type Typist, withoutTypist } from "../typing/state.ts";
import type { Message, SharedMessage } from "./contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "./events.ts";

/** Returns the messages of one channel after a frame, newest first. */
export function messagesAfter(
  messages: readonly Message[],
  channelId: string,
  frame: ServerFrame,
): readonly Message[] {
  if (is(frame, userUpdated)) {
    return eachAfter(messages, (each) => withFields(each, { author: authorAfter(each.author, frame.data) }));
  }
  if (is(frame, messageCreated)) {
    if (frame.data.channel_id !== channelId) return messages;
    const others = messages.filter((each) => each.id !== frame.data.id);
    return [...others, mine(frame.data, undefined)].sort((one, other) => (one.id < other.id ? 1 : -1));
  }
  if (is(frame, messageUpdated)) {
    return eachAfter(messages, (each) => (each.id === frame.data.id ? mine(frame.data, each) : each));
  }
  if (is(frame, messageDeleted)) return without(messages, (each) => each.id === frame.data.id);
  return messages;
}

/**
 * Returns the channels with their newest message. `newestOf` returns the newest message that the copy holds for a
 * channel after the event, since a deletion does not name it; undefined if unknown, and the deleted id stays.
 */
export function lastMessagesAfter(
  channels: OwnChannels,
  frame: ServerFrame,
  newestOf: (channelId: string) => Pick<Message, "id"> | null | undefined,
): OwnChannels {
  if (!is(frame, messageCreated) && !is(frame, messageDeleted)) return channels;
  const { id, channel_id } = frame.data;
  const last = channels.get(channel_id)?.last_message_id ?? "";
  if (is(frame, messageCreated)) return last > id ? channels : withLastMessage(channels, channel_id, id);
  const newest = last === id ? newestOf(channel_id) : undefined;
  return newest === undefined ? channels : withLastMessage(channels, channel_id, newest?.id ?? null);
}

/** Returns the channels with this id of the newest message of one of them. */
export function withLastMessage(
  channels: OwnChannels,
  channelId: string,
  last_message_id: string | null,
): OwnChannels {
  return valuesAfter(channels, (channel, id) =>
    id === channelId ? withFields(channel, { last_message_id }) : channel,
  );
}

/** Returns the typists without the author of a new message, who has finished typing it. */
export function typistsAfterMessage(typists: readonly Typist[], frame: ServerFrame): readonly Typist[] {
  if (!is(frame, messageCreated)) return typists;
  return withoutTypist(typists, frame.data.channel_id, frame.data.author.id);
}

/** Events are the same for every listener, so the user's own reactions are taken from the client's copy. */
function mine(shared: SharedMessage, before: Message | undefined): Message {
  const own = before?.reactions.filter((reaction) => reaction.me).map((reaction) => reaction.emoji) ?? [];
  return {
    ...shared,
    reactions: shared.reactions.map((reaction) => ({ ...reaction, me: own.includes(reaction.emoji) })),
  };
}

function authorAfter(author: Author, user: Pick<Author, "id" | "display_name" | "avatar">): Author {
  if (author.id !== user.id) return author;
  return withFields(author, { display_name: user.display_name, avatar: user.avatar });
}
