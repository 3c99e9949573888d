// Operations on direct conversations, and what a conversation is to other features.
import { invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { personalAudiences } from "../../server/gateway/audience.ts";
import { type Caller, type Feature, handle } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { whenAsked } from "../../server/house/question.ts";
import { page, pageLength, repeated } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { directHome } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { acquaintances, partnersOf, selectUser } from "../accounts/access.ts";
import { homeOfTwo } from "../blocks/access.ts";
import {
  type ConversationFacts,
  conversationFound,
  conversationShown,
  findChannel,
  needGroup,
  openConversation,
  placeOfConversation,
  toConversation,
} from "../channels/access.ts";
import { channelCreated } from "../channels/contract.ts";
import { conversationById, conversationsInReady, listConversationsOf } from "./access.ts";
import * as contract from "./contract.ts";
import { addTo, hide, needRoom, needToReach, removeFrom, seat, showAgain, takeTurn } from "./people.ts";
import {
  directMigrations,
  insertConversation,
  pairOf,
  partnersAmong,
  selectConversationsOf,
  selectPair,
  selectPartners,
} from "./store.ts";

/** Conversations turned into JSON in one go: a group with long profiles takes 50 kB. */
const conversationsAtOnce = 10;

export const direct: Feature = {
  name: "direct",
  migrations: directMigrations,
  events: [],
  operations: [
    handle(contract.openConversation, async ({ caller, body, unit }) => {
      const otherIds = [...new Set(body.user_ids)].filter((id) => id !== caller.userId);
      const most = limits.group_people_max - 1;
      if (otherIds.length === 0) throw invalidField("user_ids", "must name somebody else");
      if (otherIds.length > most) throw invalidField("user_ids", `must name at most ${most} people`);
      const [first, ...more] = otherIds;
      return more.length === 0 ? openPair(unit, caller, first ?? "") : beginGroup(unit, caller, otherIds);
    }),

    handle(contract.listConversations, async ({ caller, query, unit }) => {
      const limit = pageLength(query.limit, limits.page_max, limits.page_default);
      const asked = { limit, before: query.before };
      const { conversations, hasMore } = await listConversationsOf(unit, caller.userId, asked);
      return page(await inPieces(conversations, (some) => some, conversationsAtOnce), hasMore);
    }),

    handle(contract.hideConversation, async ({ caller, params, unit }) => {
      await hide(unit, await findConversation(unit, caller.userId, params.id), caller.userId);
    }),

    handle(contract.addRecipient, async ({ caller, params, unit }) => {
      const conversation = await findConversation(unit, caller.userId, params.id);
      needGroup(conversation);
      if (conversation.userIds.includes(params.userID)) return;
      await needToReach(unit, caller.userId, [params.userID], true);
      await addTo(unit, conversation, params.userID);
    }),

    handle(contract.removeRecipient, async ({ caller, params, unit }) => {
      const conversation = await findConversation(unit, caller.userId, params.id);
      needGroup(conversation);
      const { userID } = params;
      if (!conversation.userIds.includes(userID)) throw notFound();
      if (userID !== caller.userId && conversation.ownerId !== caller.userId)
        throw new Refusal("owner_only", "Only the owner of the group can take others out of it.");
      await removeFrom(unit, conversation, userID);
    }),
  ],
  answers: [
    whenAsked(conversationFound, conversationById),
    whenAsked(conversationShown, (unit, conversation) =>
      showAgain(unit, conversation, conversation.hiddenFrom),
    ),
    whenAsked(homeOfTwo, async ({ db }, one, other) => {
      const channelId = await selectPair(db, pairOf(one, other));
      return channelId === undefined ? undefined : directHome(channelId);
    }),
    whenAsked(personalAudiences, async ({ db }, userId) =>
      (await selectConversationsOf(db, userId)).map(({ channel_id }) => directHome(channel_id)),
    ),
    whenAsked(partnersOf, ({ db }, userIds) => selectPartners(db, userIds)),
    whenAsked(acquaintances, ({ db }, userId, ids) => partnersAmong(db, userId, ids)),
  ],
  readyShapes: contract.readyShapes,
  async readyBeside(unit, caller, entries) {
    // The lists are asked for once without servers, for what is outside of them.
    return { direct: entries.length === 0 ? await conversationsInReady(unit, caller.userId) : [] };
  },
};

/** Returns the conversation. Throws 404 unless the person is in it; a channel of a server is none. */
async function findConversation(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Promise<ConversationFacts> {
  const { conversation } = await findChannel(unit, userId, channelId);
  if (!conversation) throw notFound();
  return conversation;
}

async function openPair(unit: UnitOfWork, caller: Caller, otherId: string): Promise<unknown> {
  const pair = pairOf(caller.userId, otherId);
  const known = await selectPair(unit.db, pair);
  if (known !== undefined) return reopened(unit, caller, known);
  await needToReach(unit, caller.userId, [otherId], false);
  await needRoom(unit, caller.userId);
  const id = newId();
  // Both may open it at the same moment: the one who comes second gets the conversation of the first.
  if (!(await insertConversation(unit.db, { channel_id: id, pair, owner_id: null })))
    return reopened(unit, caller, (await selectPair(unit.db, pair)) ?? "");
  return begin(unit, caller, { id, type: "direct", otherIds: [otherId] });
}

async function reopened(unit: UnitOfWork, { userId }: Caller, channelId: string): Promise<unknown> {
  const conversation = await findConversation(unit, userId, channelId);
  const isHidden = conversation.hiddenFrom.includes(userId);
  if (isHidden) await showAgain(unit, conversation, [userId]);
  return repeated(await toConversation(unit, conversation));
}

async function beginGroup(unit: UnitOfWork, caller: Caller, otherIds: readonly string[]) {
  if ((await selectUser(unit.db, caller.userId))?.is_bot === 1)
    throw invalidField("user_ids", "must name one person: bots are in no group");
  await needToReach(unit, caller.userId, otherIds, true);
  await needRoom(unit, caller.userId);
  const id = newId();
  await insertConversation(unit.db, { channel_id: id, pair: null, owner_id: caller.userId });
  return begin(unit, caller, { id, type: "group", otherIds });
}

/** Begins a conversation. Of two people, the other one does not have it in their list before its first message. */
async function begin(
  unit: UnitOfWork,
  { userId }: Caller,
  { id, type, otherIds }: { id: string; type: "direct" | "group"; otherIds: readonly string[] },
) {
  const userIds = [userId, ...otherIds];
  const hiddenFrom = type === "direct" ? otherIds : [];
  await openConversation(unit, id, type);
  await seat(unit, id, userIds, hiddenFrom);
  const conversation = await conversationById(unit, id);
  if (!conversation) throw new Error("a conversation that was just made is not there");
  const listedFor = userIds.filter((each) => !hiddenFrom.includes(each));
  const place = placeOfConversation({ ...conversation, userIds: listedFor });
  const shown = await toConversation(unit, conversation);
  if (type === "group") await takeTurn(unit, conversation, shown);
  unit.emit(channelCreated, place, shown);
  return shown;
}
