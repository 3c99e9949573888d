// Reactions: emoji under a message, and the people who added them.
import { z } from "zod";
import { normaliseEmoji } from "../../protocol/emoji.ts";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, notBlankPattern } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

const reaction = z
  .object({ emoji: z.string(), count: z.int(), user_ids: z.array(id) })
  .meta({ id: "Reaction" });

const emoji = z
  .string()
  .max(128)
  .transform((value, context) => {
    const normal = normaliseEmoji(value);
    if (normal !== undefined) return normal;
    context.addIssue({ code: "custom", message: "must be one emoji, or a name like :wave:" });
    return z.NEVER;
  })
  .meta({
    minLength: 1,
    pattern: notBlankPattern,
    description: `One emoji, or a name like \`:wave:\` (letters, digits, _ + -); at most ${limits.emoji_bytes_max} bytes`,
  });

const params = z.object({ messageID: id });

export const addReaction = operation({
  name: "addReaction",
  method: "POST",
  path: "/messages/{messageID}/reactions",
  summary: "React to a message; again changes nothing",
  caller: "account",
  lane: "write",
  params,
  body: z.object({ emoji }),
  answers: { 204: { description: "The reaction is there" } },
  errors: ["forbidden"],
});

export const removeReaction = operation({
  name: "removeReaction",
  method: "DELETE",
  path: "/messages/{messageID}/reactions/{emoji}",
  summary: "Take back one's own reaction; absent ones too",
  caller: "account",
  lane: "write",
  params: params.extend({ emoji: z.string() }),
  answers: { 204: { description: "The reaction is not there" } },
});

export const listReactions = operation({
  name: "listReactions",
  method: "GET",
  path: "/messages/{messageID}/reactions",
  summary: "The reactions to a message, by emoji, in the order of their first",
  caller: "account",
  lane: "read",
  // Lists everybody who reacted, possibly a hundred thousand people.
  cost: { worst: 10 },
  params,
  answers: { 200: { description: "The reactions", body: z.array(reaction) } },
});

const change = z.object({ message_id: id, channel_id: id, user_id: id, emoji: z.string() });

export type ReactionChange = z.infer<typeof change>;

export const reactionAdded = event(kinds.reactionAdded, {
  summary: "Somebody reacted to a message",
  data: change,
  happensIn: "channel",
});
export const reactionRemoved = event(kinds.reactionRemoved, {
  summary: "A reaction to a message was taken back",
  data: change,
  happensIn: "channel",
});
