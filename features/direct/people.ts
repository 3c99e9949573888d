// The people of conversations: who may be written to, and what happens when somebody comes or goes.
import { full, invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { listPace } from "../../server/house/list-pace.ts";
import { highestIdOf } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { everybody, personStream } from "../../server/place.ts";
import { lowestId } from "../../server/tokens.ts";
import { lockUser } from "../accounts/access.ts";
import { blockersAmong, selectBlocks } from "../blocks/access.ts";
import {
  type ConversationFacts,
  endConversation,
  placeOfConversation,
  toConversation,
} from "../channels/access.ts";
import { channelCreated, channelUpdated } from "../channels/contract.ts";
import { sharersAmong } from "../members/access.ts";
import { conversationGone } from "./contract.ts";
import { conversationHidden, seatLost } from "./seats.ts";
import {
  deleteConversation,
  deleteRecipient,
  insertRecipients,
  selectCrowded,
  setHidden,
  setOwner,
} from "./store.ts";

/**
 * Throws unless the person may write to all of these others: 404 for those with whom they share no server, 403 where
 * one blocks the other, takes no conversations, or is in as many as one may be; 400 for bots where several people talk.
 */
export async function needToReach(
  unit: UnitOfWork,
  userId: string,
  otherIds: readonly string[],
  isGroup: boolean,
): Promise<void> {
  const shared = await sharersAmong(unit.db, userId, otherIds);
  if (otherIds.some((id) => !shared.has(id))) throw notFound();
  const others: Awaited<ReturnType<typeof lockUser>>[] = [];
  // One order for all, so that two calls never wait for each other.
  for (const id of [...otherIds, userId].sort()) {
    const row = await lockUser(unit, id);
    if (id !== userId) others.push(row);
  }
  const blocked = new Set((await selectBlocks(unit.db, [userId])).map(({ blocked_id }) => blocked_id));
  if (otherIds.some((id) => blocked.has(id)))
    throw new Refusal("blocked", "You block this person. Take that back to write to them.");
  const blockers = await blockersAmong(unit.db, userId, otherIds);
  // People are added to groups without being asked, so others must not be able to fill their list without end.
  const crowded = isGroup ? await selectCrowded(unit.db, otherIds) : new Set();
  const refuses = (other: (typeof others)[number]) =>
    !other || blockers.has(other.id) || crowded.has(other.id) || other.direct_from === "nobody";
  if (others.some(refuses)) throw new Refusal("forbidden", "You cannot write to this person.");
  if (isGroup && others.some((other) => other?.is_bot === 1))
    throw invalidField("user_ids", "names a bot, and bots are in no group");
}

/** Throws 409 unless the person may begin another conversation. */
export async function needRoom(unit: UnitOfWork, userId: string): Promise<void> {
  if ((await selectCrowded(unit.db, [userId])).has(userId))
    throw full("You can be in", limits.conversations_max, "conversations", "Leave a group first.");
}

/** UTF-16 code units of a conversation that are counted as one. */
const lengthForOne = 64 * 1024;

/** Allows 6 MiB at once, and then 64 KiB a second: far more than groups of people with profiles of usual length take. */
const takeTurns = listPace("group-people", 100, "You bring people into groups too often. Wait a moment.");

/**
 * Counts what is written when a group begins, or when somebody is brought into one: it goes to the stream of each of its
 * people, with the profiles of all. Throws rate_limited.
 */
export async function takeTurn(unit: UnitOfWork, group: ConversationFacts, shown: unknown): Promise<void> {
  const length = JSON.stringify(shown).length * group.userIds.length;
  if (unit.caller) await takeTurns(unit.house, unit.caller.userId, Math.ceil(length / lengthForOne));
}

/** Inserts the people of a new conversation, by when they come; `hiddenFrom` do not have it in their lists yet. */
export async function seat(
  unit: UnitOfWork,
  channelId: string,
  userIds: readonly string[],
  hiddenFrom: readonly string[],
): Promise<void> {
  await insertRecipients(
    unit.db,
    userIds.map((user_id, place) => ({
      channel_id: channelId,
      user_id,
      place,
      joined_id: lowestId,
      hidden: hiddenFrom.includes(user_id) ? 1 : 0,
    })),
  );
}

/** Lists a conversation again for people who do not have it in their lists. */
export async function showAgain(
  unit: UnitOfWork,
  conversation: ConversationFacts,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  await setHidden(unit.db, conversation.channel.id, userIds, 0);
  tellOf(unit, conversation, userIds, await toConversation(unit, conversation));
}

function tellOf(
  unit: UnitOfWork,
  conversation: ConversationFacts,
  userIds: readonly string[],
  shown: Awaited<ReturnType<typeof toConversation>>,
): void {
  const place = { ...placeOfConversation(conversation), streams: userIds.map(personStream) };
  unit.emit(channelCreated, place, shown);
}

/** Takes a conversation off a person's list. */
export async function hide(unit: UnitOfWork, conversation: ConversationFacts, userId: string): Promise<void> {
  if (conversation.hiddenFrom.includes(userId)) return;
  await setHidden(unit.db, conversation.channel.id, [userId], 1);
  await unit.ask(conversationHidden, userId, conversation.channel.id);
  tellGone(unit, conversation, userId);
}

function tellGone(unit: UnitOfWork, conversation: ConversationFacts, userId: string): void {
  const { home } = placeOfConversation(conversation);
  const place = { home, streams: [personStream(userId)], audience: everybody };
  unit.emit(conversationGone, place, { id: conversation.channel.id });
}

/** Brings a person into a group, with all that was said before, which they have read. */
export async function addTo(unit: UnitOfWork, before: ConversationFacts, userId: string): Promise<void> {
  const { userIds, channel } = before;
  if (userIds.includes(userId)) return;
  if (userIds.length >= limits.group_people_max)
    throw full("A group can have", limits.group_people_max, "people");
  const { home } = placeOfConversation(before);
  const joined_id = (await highestIdOf(unit.db, home)) || lowestId;
  const place = before.lastPlace + 1;
  await insertRecipients(unit.db, [{ channel_id: channel.id, user_id: userId, place, joined_id, hidden: 0 }]);
  const after = { ...before, userIds: [...userIds, userId] };
  const shown = await toConversation(unit, after);
  await takeTurn(unit, after, shown);
  tellOf(unit, after, [userId], shown);
  unit.emit(channelUpdated, placeOfConversation(before), shown);
}

/** Takes a person out of a group. A group that its owner leaves goes to the next who came; an empty one is gone. */
export async function removeFrom(unit: UnitOfWork, before: ConversationFacts, userId: string): Promise<void> {
  const { channel } = before;
  await deleteRecipient(unit.db, channel.id, userId);
  await unit.ask(seatLost, userId, channel.id);
  const userIds = before.userIds.filter((id) => id !== userId);
  const [next] = userIds;
  if (next === undefined) {
    await deleteConversation(unit.db, channel.id);
    return endConversation(unit, before, personStream(userId));
  }
  const ownerId = before.ownerId === userId ? next : before.ownerId;
  if (ownerId !== before.ownerId) await setOwner(unit.db, channel.id, ownerId);
  const after = { ...before, userIds, ownerId };
  unit.emit(channelUpdated, placeOfConversation(after), await toConversation(unit, after));
  tellGone(unit, before, userId);
}
