// What people do with reactions.

import { normaliseEmoji } from "../../protocol/emoji.ts";
import { invalidField } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/feature.ts";
import { dropPage, findMessage } from "../messages/access.ts";
import { need } from "../servers/access.ts";
import * as contract from "./contract.ts";
import {
  countReactions,
  deleteReaction,
  distinctEmoji,
  insertReaction,
  reactionMigrations,
  selectReactions,
  selectReactors,
} from "./store.ts";

export const reactions: Feature = {
  name: "reactions",
  migrations: reactionMigrations,
  events: [contract.reactionAdded, contract.reactionRemoved],
  operations: [
    handle(contract.addReaction, async ({ caller, params, body, unit }) => {
      const { message, standing } = await findMessage(unit, caller.userId, params.messageID);
      need(standing, "SEND_MESSAGES");
      const there = await distinctEmoji(unit.db, message.id);
      if (!there.includes(body.emoji) && there.length >= limits.reactions_max) {
        throw invalidField("emoji", `a message takes at most ${limits.reactions_max} different emoji`);
      }
      if (!(await insertReaction(unit.db, message.id, body.emoji, caller.userId))) return;
      const { id: message_id, channel_id, server_id } = message;
      unit.emit(contract.reactionAdded, server_id, {
        message_id,
        channel_id,
        user_id: caller.userId,
        emoji: body.emoji,
      });
      dropPage(unit, channel_id);
    }),

    handle(contract.removeReaction, async ({ caller, params, unit }) => {
      const { message } = await findMessage(unit, caller.userId, params.messageID);
      const emoji = normaliseEmoji(params.emoji);
      if (emoji === undefined || !(await deleteReaction(unit.db, message.id, emoji, caller.userId))) return;
      const { id: message_id, channel_id, server_id } = message;
      unit.emit(contract.reactionRemoved, server_id, {
        message_id,
        channel_id,
        user_id: caller.userId,
        emoji,
      });
      dropPage(unit, channel_id);
    }),

    handle(contract.listReactions, async ({ caller, params, unit }) => {
      const { message } = await findMessage(unit, caller.userId, params.messageID);
      const byEmoji = Map.groupBy(await selectReactions(unit.db, message.id), (row) => row.emoji);
      return [...byEmoji].map(([emoji, rows]) => ({
        emoji,
        count: rows.length,
        user_ids: rows.map((row) => row.user_id),
      }));
    }),
  ],
  async reactors(unit, messageIds, limit) {
    const rows = await selectReactors(unit.db, messageIds, limit + 1);
    if (rows.length > limit) return null;
    const reactors = new Map<string, Set<string>>();
    for (const { message_id, emoji, user_id } of rows) {
      const key = `${message_id} ${emoji}`;
      reactors.set(key, (reactors.get(key) ?? new Set()).add(user_id));
    }
    return reactors;
  },
  async reactionCounts(unit, userId, messageIds) {
    const counts = new Map<string, { emoji: string; count: number; me: boolean }[]>();
    if (messageIds.length === 0) return counts;
    for (const row of await countReactions(unit.db, messageIds, userId)) {
      const mine = counts.get(row.message_id) ?? [];
      mine.push({ emoji: row.emoji, count: Number(row.count), me: Number(row.mine) === 1 });
      counts.set(row.message_id, mine);
    }
    return counts;
  },
};
