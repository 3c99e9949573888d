// Conversations for other features, and the facts about them.

import { limits } from "../../protocol/limits.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personStream } from "../../server/place.ts";
import { authorOf } from "../accounts/access.ts";
import { blockersAmong, selectBlocks } from "../blocks/access.ts";
import {
  asReadBy,
  type ConversationFacts,
  lastMessages,
  selectChannelsById,
  standingInConversation,
  toConversations,
} from "../channels/access.ts";
import { mentionsOf, selectMessagesById } from "../messages/access.ts";
import { excerptOf } from "../messages/text/excerpt.ts";
import type { LastMessage, ListedConversation } from "./contract.ts";
import { selectConversationsOf, selectOwners, selectRecipients } from "./store.ts";

/** Asks for what happens in these conversations at the moment, as this reader sees it: the parts of their entries. */
export const happening = question<
  [userId: string, channelIds: readonly string[]],
  ReadonlyMap<string, Partial<Happening>>
>("direct.happening");

type Happening = Pick<ListedConversation, "voice" | "call">;

/** Returns these conversations, in their order, without those that do not exist, and without blocks. */
async function conversationsById(
  unit: UnitOfWork,
  channelIds: readonly string[],
): Promise<ConversationFacts[]> {
  const channels = new Map((await selectChannelsById(unit.db, channelIds)).map((each) => [each.id, each]));
  const owners = await selectOwners(unit.db, channelIds);
  const recipients = await selectRecipients(unit.db, channelIds);
  return channelIds.flatMap((id) => {
    const channel = channels.get(id);
    const people = recipients.get(id) ?? [];
    if (!channel || !owners.has(id)) return [];
    const userIds = people.map(({ user_id }) => user_id);
    const hiddenFrom = people.flatMap(({ user_id, hidden }) => (hidden === 1 ? [user_id] : []));
    const lastPlace = people.at(-1)?.place ?? 0;
    return [{ channel, userIds, hiddenFrom, ownerId: owners.get(id) ?? null, lastPlace, blockers: [] }];
  });
}

/** Returns a conversation and, for a pair, which of the two block the other. */
export async function conversationById(
  unit: UnitOfWork,
  channelId: string,
): Promise<ConversationFacts | undefined> {
  const [found] = await conversationsById(unit, [channelId]);
  if (found?.channel.type !== "direct") return found;
  const [one = "", other = ""] = found.userIds;
  const blockers = [
    ...(await blockersAmong(unit.db, other, [one])),
    ...(await blockersAmong(unit.db, one, [other])),
  ];
  return { ...found, blockers };
}

/** A place in a person's list of conversations, which is sorted by the newest message, else by when it began. */
interface Listed {
  id: string;
  sortsBy: string;
}

/** Returns the ids of a person's conversations that are not hidden, those with the newest talk first. */
async function listedOf(unit: UnitOfWork, userId: string): Promise<Listed[]> {
  const rows = await selectConversationsOf(unit.db, userId);
  const ids = rows.flatMap(({ channel_id, hidden }) => (hidden === 0 ? [channel_id] : []));
  if (ids.length === 0) return [];
  const last = new Map((await unit.ask(lastMessages, ids)).flatMap((known) => [...known]));
  const listed = ids.map((id) => ({ id, sortsBy: last.get(id) ?? id }));
  return listed.sort((one, other) => (one.sortsBy < other.sortsBy ? 1 : -1));
}

/** Returns a page of a person's list of conversations, and whether there are more. `before` is where it begins. */
export async function listConversationsOf(
  unit: UnitOfWork,
  userId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ conversations: ListedConversation[]; hasMore: boolean }> {
  const all = await listedOf(unit, userId);
  const rest = before === undefined ? all : all.filter(({ sortsBy }) => sortsBy < before);
  const ids = rest.slice(0, limit).map(({ id }) => id);
  // Most people have none, and READY asks for everybody.
  if (ids.length === 0) return { conversations: [], hasMore: false };
  const facts = await conversationsById(unit, ids);
  const shown = await toConversations(unit, facts);
  const last = await lastMessagesOf(
    unit,
    shown.flatMap(({ last_message_id }) => last_message_id ?? []),
  );
  const now = await unit.ask(happening, userId, ids);
  const blockers = await blockersOf(unit, userId, facts);
  const conversations = shown.map((each) => ({
    ...asReadBy(standingInConversation(userId, each.id, blockers.get(each.id)), each),
    last_message: last.get(each.last_message_id ?? "") ?? null,
    ...Object.assign({ voice: [], call: null } satisfies Happening, ...now.map((part) => part.get(each.id))),
  }));
  return { conversations, hasMore: rest.length > limit };
}

/** Returns by conversation of two people the ids of those of the two who block the other, where one does. */
async function blockersOf(
  { db }: UnitOfWork,
  userId: string,
  conversations: readonly ConversationFacts[],
): Promise<ReadonlyMap<string, string[]>> {
  const pairs = conversations.flatMap(({ channel, userIds }) => {
    const otherId = userIds.find((id) => id !== userId);
    return channel.type === "direct" && otherId !== undefined ? [{ id: channel.id, otherId }] : [];
  });
  if (pairs.length === 0) return new Map();
  const blocked = new Set((await selectBlocks(db, [userId])).map(({ blocked_id }) => blocked_id));
  const blockers = await blockersAmong(
    db,
    userId,
    pairs.map(({ otherId }) => otherId),
  );
  return new Map(
    pairs
      .map(({ id, otherId }): [string, string[]] => [
        id,
        [...(blocked.has(otherId) ? [userId] : []), ...(blockers.has(otherId) ? [otherId] : [])],
      ])
      .filter(([, some]) => some.length > 0),
  );
}

/** Returns the conversations of a person's READY. They are listed once for one snapshot, as several lists need them. */
export async function conversationsInReady(unit: UnitOfWork, userId: string): Promise<ListedConversation[]> {
  const limit = limits.direct_in_ready_max;
  const listed = () => listConversationsOf(unit, userId, { limit });
  const { conversations } = await unit.remember(personStream(userId), "conversations in READY", listed);
  return conversations;
}

/** Returns these messages by id, as lists of conversations show them. */
async function lastMessagesOf(
  unit: UnitOfWork,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastMessage>> {
  const found = new Map<string, LastMessage>();
  for (const row of await selectMessagesById(unit.db, ids)) {
    let text = row.content;
    for (const id of mentionsOf(row).user_ids) {
      const { display_name } = await authorOf(unit, id);
      text = text.replaceAll(`<@${id}>`, () => `@${display_name}`);
    }
    found.set(row.id, {
      id: row.id,
      author_id: row.author_id ?? row.id,
      excerpt: excerptOf(text, limits.excerpt_max),
      attachment_count: (JSON.parse(row.attachments) as unknown[]).length,
    });
  }
  return found;
}
