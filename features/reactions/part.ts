// The reactions of a message, as a part of it: each emoji with its count, and whether the reader is among them.
import type { MessagePart } from "../messages/access.ts";
import { selectCounts, selectOwn, selectReactions } from "./store.ts";

type Value = { emoji: string; count: number; me: boolean }[];

const nameOf = (messageId: string, emoji: string) => `${messageId} ${emoji}`;

export const reactionsPart: MessagePart<"reactions"> = {
  field: "reactions",
  async read(unit, readerId, messageIds) {
    const counts = new Map<string, Value>();
    if (messageIds.length === 0) return counts;
    for (const { message_id, emoji, count, own } of await selectCounts(unit.db, messageIds, readerId)) {
      const there = counts.get(message_id) ?? [];
      there.push({ emoji, count, me: own !== null });
      counts.set(message_id, there);
    }
    return counts;
  },
  share: (value) => value.map(({ emoji, count }) => ({ emoji, count })),
  flags: {
    of: (messageId, value) => value.map(({ emoji, count }) => ({ name: nameOf(messageId, emoji), count })),
    async holders(unit, messageIds) {
      const holders = new Map<string, Set<string>>();
      for (const { message_id, emoji, user_id } of await selectReactions(unit.db, messageIds)) {
        const name = nameOf(message_id, emoji);
        holders.set(name, (holders.get(name) ?? new Set()).add(user_id));
      }
      return holders;
    },
    async heldBy(unit, userId, messageIds) {
      const own = await selectOwn(unit.db, messageIds, userId);
      return new Set(own.map(({ message_id, emoji }) => nameOf(message_id, emoji)));
    },
  },
};
