// A client's copy of its user's conversations: the people in each, and what was said last.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { defaultPermissions } from "../../protocol/permissions.ts";
import { eachAfter, valuesAfter, withoutKeys } from "../../protocol/unchanged.ts";
import type { RingingCall, VoiceState } from "../../protocol/voice.ts";
import type { User } from "../accounts/contract.ts";
import { userUpdated } from "../accounts/events.ts";
import { userAfter } from "../accounts/state.ts";
import type { Conversation } from "../channels/contract.ts";
import { channelCreated, channelDeleted, channelUpdated } from "../channels/events.ts";
import type { OwnChannel } from "../channels/state.ts";
import type { SharedMessage } from "../messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../messages/events.ts";
import { presenceUpdated } from "../presence/events.ts";
import { shownAfter } from "../presence/state.ts";
import type { LastMessage, ListedConversation } from "./contract.ts";

/** The newest message: with the server's excerpt in a list, with all of its text from its event. */
export type LastTalk = Omit<LastMessage, "excerpt"> &
  Partial<Pick<LastMessage, "excerpt">> & { content?: string };

/** A conversation as its reader has it. */
export interface OwnConversation extends OwnChannel {
  server_id: null;
  type: Conversation["type"];
  /** All people in it, the reader too. `name` is the group's own, or else the names of the others. */
  recipients: readonly User[];
  owner_id: string | null;
  /** The name that the group was given. */
  given_name: string | null;
  last_message: LastTalk | null;
  /** The people in its voice room. */
  voice: readonly VoiceState[];
  /** The call that rings for its reader, or that its reader rang when READY came. */
  call: RingingCall | null;
  /** False for one that is shown at its address alone: it is hidden, or older than those in READY. */
  isListed: boolean;
}

export type Conversations = ReadonlyMap<string, OwnConversation>;

/** The message that a conversation shows as its last one. */
type Said = Pick<SharedMessage, "id" | "author" | "content" | "attachments">;

/** `before`: the copy's version, which knows what no event of a conversation carries. */
export function toOwnConversation(
  ownId: string,
  conversation: Conversation & Partial<ListedConversation>,
  { last_message = null, voice = [], call = null }: Partial<OwnConversation> = {},
): OwnConversation {
  const { name, recipients } = conversation;
  return {
    ...{ last_message, voice, call },
    ...conversation,
    given_name: name,
    name: name ?? namesOf(recipients, ownId),
    permissions: defaultPermissions,
    isPrivate: false,
    isListed: true,
  };
}

function namesOf(people: readonly User[], ownId: string): string {
  const others = people.filter(({ id }) => id !== ownId);
  // In a group that all others have left, its reader is alone.
  return (others[0] ? others : people).map(({ display_name }) => display_name).join(", ");
}

/**
 * Returns the conversations after a frame. `newestOf` returns the newest message that the copy holds of one, since a
 * deletion does not name it; undefined if unknown.
 */
export function conversationsAfter(
  conversations: Conversations,
  ownId: string,
  frame: ServerFrame,
  newestOf: (channelId: string) => Said | null | undefined,
): Conversations {
  if (is(frame, channelDeleted)) return withoutKeys(conversations, (id) => id === frame.data.id);
  if (is(frame, channelCreated) || is(frame, channelUpdated)) {
    const { data } = frame;
    const before = conversations.get(data.id);
    // One that is hidden goes on to change, and is not in the list for that.
    if (data.server_id !== null || (!before && is(frame, channelUpdated))) return conversations;
    const isListed = before?.isListed !== false || is(frame, channelCreated);
    return new Map(conversations).set(data.id, { ...toOwnConversation(ownId, data, before), isListed });
  }
  return valuesAfter(conversations, (each) => talkAfter(withPeople(each, ownId, frame), frame, newestOf));
}

function withPeople(conversation: OwnConversation, ownId: string, frame: ServerFrame): OwnConversation {
  if (!is(frame, userUpdated) && !is(frame, presenceUpdated)) return conversation;
  const recipients = eachAfter(conversation.recipients, (user) => shownAfter(userAfter(user, frame), frame));
  if (recipients === conversation.recipients) return conversation;
  return { ...conversation, recipients, name: conversation.given_name ?? namesOf(recipients, ownId) };
}

function talkAfter(
  conversation: OwnConversation,
  frame: ServerFrame,
  newestOf: (channelId: string) => Said | null | undefined,
): OwnConversation {
  const { id, last_message_id: last } = conversation;
  if (is(frame, messageDeleted)) {
    if (frame.data.channel_id !== id || frame.data.id !== last) return conversation;
    const newest = newestOf(id);
    return newest === undefined ? { ...conversation, last_message: null } : withLast(conversation, newest);
  }
  if (!is(frame, messageCreated) && !is(frame, messageUpdated)) return conversation;
  const { data, type } = frame;
  const isLast = type === messageCreated.type ? data.id >= (last ?? "") : data.id === last;
  if (data.channel_id !== id || !isLast) return conversation;
  return { ...withLast(conversation, data), isListed: true };
}

/** Returns the conversation with its newest message; null where there is none. */
export function withLast(conversation: OwnConversation, message: Said | null): OwnConversation {
  if (!message) return { ...conversation, last_message_id: null, last_message: null };
  const { id, author, content, attachments } = message;
  const last_message = { id, author_id: author.id, content, attachment_count: attachments.length };
  return { ...conversation, last_message_id: id, last_message };
}
