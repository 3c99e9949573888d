// The client's copy of reactions: an own one is shown before its event, which then changes nothing.
import { expect, spyOn, test } from "bun:test";
import type { Message } from "../messages/contract.ts";
import { reactionAdded, reactionRemoved } from "./events.ts";
import { reactionsAfter } from "./state.ts";
import { whoReacted } from "./view/who.ts";

type Change = readonly [kind: typeof reactionAdded, user_id: string, emoji?: string];

const [add, remove] = [reactionAdded, reactionRemoved];
const message = { id: "m", reactions: [{ emoji: "👍", count: 2, me: false }] } as unknown as Message;

/** Returns the reactions as a page shows them: `👍3*`, with a star if the user's own is included. */
function after(...changes: Change[]): string {
  let messages: readonly Message[] = [message];
  for (const [{ type }, user_id, emoji = "👍"] of changes) {
    const data = { message_id: "m", channel_id: "c", user_id, emoji };
    messages = reactionsAfter(messages, "me", { type, data, ts: "" });
  }
  const shown = messages[0]?.reactions ?? [];
  return shown.map(({ emoji, count, me }) => `${emoji}${count}${me ? "*" : ""}`).join(" ");
}

test("one's own counts once, however often it is told", () => {
  expect(after([add, "me"])).toBe("👍3*");
  expect(after([add, "me"], [add, "me"])).toBe("👍3*");
  expect(after([add, "me"], [add, "me"], [remove, "me"])).toBe("👍2");
  expect(after([add, "me"], [remove, "me"], [remove, "me"])).toBe("👍2");
  expect(after([remove, "me"], [remove, "me", "🎉"])).toBe("👍2");
});

test("those of others are counted", () => {
  expect(after([add, "bob"], [add, "bob", "🎉"])).toBe("👍3 🎉1");
  expect(after([remove, "bob"], [remove, "carol"])).toBe("");
});

test("others may come between one's own and its event, and between it and its refusal", () => {
  expect(after([add, "me"], [add, "bob"])).toBe("👍4*");
  expect(after([add, "me"], [add, "bob"], [add, "me"])).toBe("👍4*");
  expect(after([add, "me"], [add, "bob"], [remove, "me"])).toBe("👍3");
  expect(after([add, "me"], [add, "bob"], [remove, "me"], [add, "carol"])).toBe("👍4");
});

test("one's own that was the last and could not be taken back is there again", () => {
  const alone: Change[] = [
    [remove, "bob"],
    [add, "me"],
    [remove, "carol"],
    [remove, "me"],
  ];
  expect(after(...alone)).toBe("");
  expect(after(...alone, [add, "me"])).toBe("👍1*");
  expect(after(...alone, [add, "me"], [add, "bob"])).toBe("👍2*");
});

test("an emoji that went and came back is the last one", () => {
  expect(after([add, "bob", "🎉"], [remove, "bob"], [remove, "carol"], [add, "bob"])).toBe("🎉1 👍1");
});

test("of those who reacted nine are named and oneself, who comes last; the others are counted", async () => {
  const ids = ["me", ...Array.from({ length: 11 }, (_, i) => `person ${i}`)];
  const reactions = [
    { emoji: "👍", count: ids.length, user_ids: ids },
    { emoji: "🎉", count: 1, user_ids: ["person 3"] },
  ];
  // One of them is no longer a member.
  const members = ids.slice(2).map((id) => ({ user: { id, display_name: id.toUpperCase() } }));
  const fetching = spyOn(globalThis, "fetch").mockImplementation((async (path: string) =>
    Response.json(path.includes("/reactions") ? reactions : members)) as never);
  const reader = { id: "me", you: "you" };
  const { names, others } = await whoReacted(message, "👍", reader);
  expect(names).toEqual([...Array.from({ length: 8 }, (_, i) => `PERSON ${i + 1}`), "you"]);
  expect(others).toBe(3);
  expect(await whoReacted(message, "🎉", reader)).toEqual({ names: ["PERSON 3"], others: 0 });
  expect(await whoReacted(message, "🌙", reader)).toEqual({ names: [], others: 0 });
  fetching.mockRestore();
});
