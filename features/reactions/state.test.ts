// The copy of reactions: one's own is shown before its event, which then changes nothing.
import { expect, test } from "bun:test";
import type { Message } from "../messages/contract.ts";
import { reactionAdded, reactionRemoved } from "./events.ts";
import { reactionsAfter } from "./state.ts";

const message = { id: "m", reactions: [{ emoji: "👍", count: 2, me: false }] } as unknown as Message;

function after(messages: readonly Message[], kind: typeof reactionAdded, user_id: string, emoji = "👍") {
  const data = { message_id: "m", channel_id: "c", user_id, emoji };
  return reactionsAfter(messages, "me", { type: kind.type, data, ts: "" });
}

test("one's own counts once, however often it is told", () => {
  const once = after([message], reactionAdded, "me");
  expect(once[0]?.reactions).toEqual([{ emoji: "👍", count: 3, me: true }]);
  expect(after(once, reactionAdded, "me")[0]?.reactions).toEqual(once[0]?.reactions);
  const taken = after(once, reactionRemoved, "me");
  expect(after(taken, reactionRemoved, "me")[0]?.reactions).toEqual([{ emoji: "👍", count: 2, me: false }]);
  expect(after(taken, reactionRemoved, "me", "🎉")[0]?.reactions).toEqual([
    { emoji: "👍", count: 2, me: false },
  ]);
});

test("those of others are counted", () => {
  const more = after(after([message], reactionAdded, "bob"), reactionAdded, "bob", "🎉");
  expect(more[0]?.reactions).toEqual([
    { emoji: "👍", count: 3, me: false },
    { emoji: "🎉", count: 1, me: false },
  ]);
});
