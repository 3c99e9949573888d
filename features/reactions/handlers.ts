// Operations on reactions.

import { normaliseEmoji } from "../../protocol/emoji.ts";
import { invalidField } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Caller, type Feature, handle } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { leave, type Sweep, sweepOf } from "../../server/house/sweeping.ts";
import { dropPage, findMessage, messageParts, messagesGone } from "../messages/access.ts";
import { need } from "../servers/access.ts";
import * as contract from "./contract.ts";
import { listReactors } from "./listing.ts";
import { reactionsPart } from "./part.ts";
import {
  deleteCounts,
  deleteReaction,
  insertReaction,
  reactedAmong,
  reactionMigrations,
  selectEmoji,
} from "./store.ts";

const byMessage = sweepOf("reactions", "message_id", ["message_id", "user_id", "emoji"]);

/** Sweeps the reactions of deleted messages, and then their counts. */
const reactionsToGone: Sweep = {
  name: byMessage.name,
  async piece(unit, messageId, limit) {
    const gone = await byMessage.piece(unit, messageId, limit);
    if (gone < limit) await deleteCounts(unit.db, messageId);
    return gone;
  },
};

export const reactions: Feature = {
  name: "reactions",
  migrations: reactionMigrations,
  events: [contract.reactionAdded, contract.reactionRemoved],
  answers: [
    whenAsked(messageParts, () => reactionsPart),
    whenAsked(messagesGone, async (unit, _channelId, messageIds) =>
      leave(unit, reactionsToGone, await reactedAmong(unit.db, messageIds)),
    ),
  ],
  sweeps: [reactionsToGone],
  operations: [
    handle(contract.addReaction, async ({ caller, params, body, unit }) => {
      const { message, place, standing } = await findMessage(unit, caller.userId, params.messageID);
      need(standing, "SEND_MESSAGES");
      const there = await selectEmoji(unit.db, message.id);
      if (!there.includes(body.emoji) && there.length >= limits.reactions_max) {
        throw invalidField("emoji", `a message takes at most ${limits.reactions_max} different emoji`);
      }
      const change = changeOf(message, caller, body.emoji);
      if (!(await insertReaction(unit.db, rowOf(change)))) return;
      unit.emit(contract.reactionAdded, place, change);
      dropPage(unit, message.channel_id, place);
    }),

    handle(contract.removeReaction, async ({ caller, params, unit }) => {
      const { message, place } = await findMessage(unit, caller.userId, params.messageID);
      const emoji = normaliseEmoji(params.emoji);
      if (emoji === undefined) return;
      const change = changeOf(message, caller, emoji);
      if (!(await deleteReaction(unit.db, rowOf(change)))) return;
      unit.emit(contract.reactionRemoved, place, change);
      dropPage(unit, message.channel_id, place);
    }),

    handle(contract.listReactions, async ({ caller, params, unit }) => {
      const { message } = await findMessage(unit, caller.userId, params.messageID);
      return listReactors(unit, message.id);
    }),
  ],
};

function changeOf({ id, channel_id }: { id: string; channel_id: string }, { userId }: Caller, emoji: string) {
  return { message_id: id, channel_id, user_id: userId, emoji };
}

function rowOf({ message_id, emoji, user_id }: ReturnType<typeof changeOf>) {
  return { message_id, emoji, user_id };
}
