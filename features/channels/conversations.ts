// Conversations as their readers get them: the people in one are a part of it.
import { timeText } from "../../protocol/clock.ts";
import { invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import { renamed } from "../../protocol/renamed.ts";
import { listPace } from "../../server/house/list-pace.ts";
import { openStream } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { directHome, everybody, type StreamKey } from "../../server/place.ts";
import { usersById } from "../accounts/access.ts";
import * as contract from "./contract.ts";
import { type ConversationFacts, lastMessages, placeOfConversation } from "./finding.ts";
import { insertChannel, updateChannel } from "./store.ts";

/** Returns conversations in their order, as events carry them. */
export async function toConversations(
  unit: UnitOfWork,
  conversations: readonly ConversationFacts[],
): Promise<contract.Conversation[]> {
  const ids = conversations.map(({ channel }) => channel.id);
  const last = new Map((await unit.ask(lastMessages, ids)).flatMap((known) => [...known]));
  const users = await usersById(unit, [...new Set(conversations.flatMap(({ userIds }) => userIds))]);
  return conversations.map(({ channel: { id, name, type, created_at }, userIds, ownerId }) => ({
    id,
    server_id: null,
    name: name === "" ? null : name,
    type: type === "group" ? "group" : "direct",
    topic: null,
    category: null,
    position: 0,
    last_message_id: last.get(id) ?? null,
    created_at: timeText(created_at),
    recipients: userIds.flatMap((userId) => users.get(userId) ?? []),
    owner_id: ownerId,
  }));
}

export async function toConversation(
  unit: UnitOfWork,
  conversation: ConversationFacts,
): Promise<contract.Conversation> {
  const [shown] = await toConversations(unit, [conversation]);
  if (!shown) throw notFound();
  return shown;
}

/** Makes the channel of a new conversation, without a name, and its home. */
export async function openConversation(
  { db }: UnitOfWork,
  id: string,
  type: "direct" | "group",
): Promise<void> {
  await openStream(db, directHome(id));
  await insertChannel(db, {
    ...{ id, server_id: null, audience: directHome(id), type },
    ...{ name: "", topic: null, category: null, position: 0 },
    ...{ created_at: Date.now(), deleted_at: null },
  });
}

/** Deletes the channel of a conversation that its last person has left; `to` is that person's stream. */
export async function endConversation(
  unit: UnitOfWork,
  { channel }: ConversationFacts,
  to: StreamKey,
): Promise<void> {
  await updateChannel(unit.db, channel.id, { deleted_at: Date.now() });
  unit.drop("channel-servers", channel.id);
  const place = { home: directHome(channel.id), streams: [to], audience: everybody };
  unit.emit(contract.channelDeleted, place, { id: channel.id });
}

/** Throws conflict (409) unless the conversation is a group. */
export function needGroup({ channel }: ConversationFacts): void {
  if (channel.type !== "group")
    throw new Refusal("conflict", "A conversation of two people stays as it is. Begin a group instead.");
}

/** Throws rate_limited: each name is written to the stream of everybody in the group, with all of their profiles. */
const takeTurn = listPace("group-names", 10, "You rename groups too often. Wait a moment.", 1 / 20);

/** Gives a group another name, or none. */
export async function renameGroup(
  unit: UnitOfWork,
  before: ConversationFacts,
  {
    name,
    topic,
    category,
    position,
  }: Readonly<Record<string, unknown>> & { name?: string | null | undefined },
): Promise<contract.Conversation> {
  needGroup(before);
  for (const [path, value] of Object.entries({ topic, category, position }))
    if (value !== undefined && value !== null) throw invalidField(path, "is not for conversations");
  const changed = name === null ? "" : renamed("name", before.channel.name, name, contract.channelName);
  const after = { ...before, channel: { ...before.channel, name: changed } };
  const shown = await toConversation(unit, after);
  if (changed === before.channel.name) return shown;
  if (unit.caller) await takeTurn(unit.house, unit.caller.userId);
  await updateChannel(unit.db, before.channel.id, { name: changed });
  unit.emit(contract.channelUpdated, placeOfConversation(after), shown);
  return shown;
}
