// Malformed frames are told from valid ones.
import { describe, expect, test } from "bun:test";
import { makesSense } from "../../client/sense.ts";
import { samples } from "./samples.ts";

const ts = "2026-11-22T12:00:00.000Z";
const message = {
  ...{ id: "1", channel_id: "2", server_id: "3", content: "Hello", created_at: ts, reply_to: null },
  author: { id: "4", display_name: "Alice", avatar: null },
  ...{ mentions: { everyone: false, user_ids: [], role_ids: [] }, attachments: [], reactions: [] },
};

describe("a frame", () => {
  test("as the gateway sends it makes sense, also of a kind that nobody knows yet", () => {
    expect(makesSense({ type: "MESSAGE_CREATE", ts, data: message })).toBe(true);
    expect(makesSense({ type: "PONG", ts, data: {} })).toBe(true);
    expect(makesSense({ type: "NOBODY_KNOWS", ts, data: undefined })).toBe(true);
    expect(makesSense({ type: "constructor", ts, data: null })).toBe(true);
  });

  test("of every kind that there is makes sense", () => {
    for (const [type, all] of Object.entries(samples))
      for (const { data } of all) expect([type, makesSense({ type, ts, data })]).toEqual([type, true]);
  });

  test("without what a page has to draw makes none", () => {
    for (const wrong of [null, 7, "text", [], {}, { ...message, id: 7 }, { ...message, author: null }])
      expect(makesSense({ type: "MESSAGE_CREATE", ts, data: wrong })).toBe(false);
    expect(makesSense({ type: "MESSAGE_UPDATE", ts, data: { ...message, created_at: "never" } })).toBe(false);
    // From other events a page takes only the ids of things it knows, and it fetches a bot by itself.
    const foundById = /_DELETE$|_LEAVE$|_REMOVE$|^VOICE_(MUTE|DEAFEN)$|^BOT_|^(SESSIONS|PUSH_SUBSCRIPTIONS)_/;
    const passed = Object.keys(samples).filter((type) => makesSense({ type, ts, data: {} }));
    expect(passed.filter((type) => !foundById.test(type))).toEqual([]);
  });

  test("lacks nothing of a message that its row draws", () => {
    for (const name of ["id", "channel_id", "author", "created_at", "mentions", "attachments", "reactions"]) {
      const { [name as keyof typeof message]: _, ...rest } = message;
      expect([name, makesSense({ type: "MESSAGE_CREATE", ts, data: rest })]).toEqual([name, false]);
    }
  });
});
