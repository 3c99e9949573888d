// Finds channels through the people who ask: a channel that does not exist looks like one that they may not see.
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { Override } from "../../protocol/overrides.ts";
import { permission, type Standing } from "../../protocol/permissions.ts";
import type { Db } from "../../server/database/database.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import { question } from "../../server/house/question.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import {
  directHome,
  type Home,
  idOf,
  type Place,
  personStream,
  serverPlace,
  serverStream,
} from "../../server/place.ts";
import { conversationPart } from "./contract.ts";
import { selectOverrides } from "./overrides.ts";
import { standingWith } from "./sight.ts";
import { type ChannelsTable, isInServer, type ServerChannel, selectChannel, viewers } from "./store.ts";

interface Visible {
  /** The caller's standing in this channel. */
  standing: Standing;
  /** The place of the channel's events. */
  place: Place;
}

export type VisibleServerChannel = Visible & { channel: ServerChannel; conversation: undefined };
type VisibleConversation = Visible & { channel: ChannelsTable; conversation: ConversationFacts };
export type VisibleChannel = VisibleServerChannel | VisibleConversation;

/** A conversation with the people in it, which decide who sees it and where its events go. */
export interface ConversationFacts {
  channel: ChannelsTable;
  /** By when they came. */
  userIds: readonly string[];
  /** People who do not have it in their lists. */
  hiddenFrom: readonly string[];
  ownerId: string | null;
  /** The place of the last person who came. */
  lastPlace: number;
  /** The people of a pair who block the other one. Empty in a group. */
  blockers: readonly string[];
}

/** Asks for a conversation. */
export const conversationFound = question<[channelId: string], ConversationFacts | undefined>(
  "channels.conversationFound",
);

/** Asks that a conversation is listed again for people who hid it. */
export const conversationShown = question<[conversation: ConversationFacts], void>(
  "channels.conversationShown",
);

/** Asks for the newest message of each of these channels that has one, by channel id. */
export const lastMessages = question<[channelIds: readonly string[]], ReadonlyMap<string, string>>(
  "channels.lastMessages",
);

/** Returns the home of a channel: its server, or the conversation that it is. */
export function homeOf({ id, server_id }: Pick<ChannelsTable, "id" | "server_id">): Home {
  return server_id === null ? directHome(id) : serverStream(server_id);
}

/** Returns the place of a conversation's events: the streams of the people in it. */
export function placeOfConversation({
  channel,
  userIds,
}: Pick<ConversationFacts, "channel" | "userIds">): Place {
  return { home: directHome(channel.id), streams: userIds.map(personStream), audience: channel.audience };
}

export function placeOf({ server_id, audience }: Pick<ServerChannel, "server_id" | "audience">): Place {
  return serverPlace(server_id, audience);
}

const channelsRemembered = 20_000;

/** Returns the channel and the caller's standing in it; 404 unless the caller can see it. */
export function findChannel(unit: UnitOfWork, userId: string, channelId: string): Soon<VisibleChannel> {
  return onceKnown(channelSeenBy(unit, userId, channelId), (found) => {
    if (!found) throw notFound();
    return found;
  });
}

/** The same for what only channels of servers have. Throws forbidden (403) for a conversation. */
export async function findServerChannel(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Promise<VisibleServerChannel> {
  const found = await findChannel(unit, userId, channelId);
  if (found.conversation) throw new Refusal("forbidden", "A conversation does not have this.");
  return found;
}

/** Like `findChannel`; undefined when there is no such channel, or the person cannot see it. */
export function channelSeenBy(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Soon<VisibleChannel | undefined> {
  return onceKnown(whereaboutsOf(unit, channelId), (found) => {
    if (found === undefined) return undefined;
    const { home, serverId } = found;
    return serverId === null
      ? conversationOf(unit, userId, home)
      : channelInServer(unit, userId, { serverId, channelId });
  });
}

function channelInServer(
  unit: UnitOfWork,
  userId: string,
  { serverId, channelId }: { serverId: string; channelId: string },
): Soon<VisibleChannel | undefined> {
  return onceKnown(standingOf(unit, serverId, userId), (standing) => {
    if (!standing) return undefined;
    const found = unit.remember(standing.home, `channel:${channelId}`, (db) => loadChannel(db, channelId));
    return onceKnown(found, (found) => found && asSeenBy(standing, found));
  });
}

function conversationOf(unit: UnitOfWork, userId: string, home: Home): Soon<VisibleChannel | undefined> {
  return onceKnown(unit.lock(home), () => {
    const found = unit.remember(home, conversationPart, async () => {
      const [conversation] = await unit.ask(conversationFound, idOf(home));
      return conversation;
    });
    return onceKnown(found, (conversation) => {
      if (!conversation?.userIds.includes(userId)) return undefined;
      const standing = standingInConversation(userId, idOf(home), conversation.blockers);
      return {
        channel: conversation.channel,
        standing,
        place: placeOfConversation(conversation),
        conversation,
      };
    });
  });
}

const { VIEW_CHANNEL, SEND_MESSAGES, CONNECT_VOICE, SPEAK_VOICE, SHARE_SCREEN } = permission;
const bitsInConversations = VIEW_CHANNEL | SEND_MESSAGES | CONNECT_VOICE | SPEAK_VOICE | SHARE_SCREEN;

/** Returns a person's standing in a conversation; `blockers` are those of a pair who block the other one. */
export function standingInConversation(
  userId: string,
  channelId: string,
  blockers: readonly string[] = [],
): Standing {
  const home = directHome(channelId);
  const standing = {
    home,
    userId,
    isOwner: false,
    roleIds: [],
    roles: [],
    bits: bitsInConversations,
    rank: 0,
  };
  if (blockers.length === 0) return standing;
  const silence = blockers.includes(userId) ? blocking : blockedBy;
  return { ...standing, bits: VIEW_CHANNEL, silence };
}

const blocking = {
  code: "blocked",
  sentence: "You block this person. Take that back to write to them.",
} as const;
/** The same to somebody who is blocked as to somebody who cannot write for another reason. */
const blockedBy = { code: "forbidden", sentence: "You cannot write to this person." } as const;

interface LoadedChannel {
  channel: ServerChannel;
  overrides: readonly Override[];
}

async function loadChannel(db: Db, channelId: string): Promise<LoadedChannel | undefined> {
  const channel = await selectChannel(db, channelId);
  if (!channel || !isInServer(channel)) return undefined;
  const overrides = channel.audience === viewers ? undefined : await selectOverrides(db, [channelId]);
  return { channel, overrides: overrides?.get(channelId) ?? [] };
}

function asSeenBy(
  inServer: Standing,
  { channel, overrides }: LoadedChannel,
): VisibleServerChannel | undefined {
  const standing = standingWith(inServer, overrides);
  return standing && { channel, standing, place: placeOf(channel), conversation: undefined };
}

/** The home of a channel, and its server; null for a conversation. */
interface Whereabouts {
  home: Home;
  serverId: string | null;
}

/** Returns the home of a channel, cached without expiry: a channel never moves to another. */
function whereaboutsOf(unit: UnitOfWork, channelId: string): Soon<Whereabouts | undefined> {
  const cache = unit.house.cache<Whereabouts | undefined>("channel-servers", channelsRemembered);
  const known = cache.get(channelId, async () => {
    const channel = await selectChannel(unit.db, channelId);
    return channel && { home: homeOf(channel), serverId: channel.server_id };
  });
  return onceKnown(known, (found) => {
    if (found === undefined) cache.drop(channelId);
    return found;
  });
}
