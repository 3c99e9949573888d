// Tally detects each kind of fault: the tests that use it depend on that.

import { expect, test } from "bun:test";
import { Tally } from "./tally.ts";
import type { Message } from "./wire.ts";

function message(id: string, channel_id = "room"): Message {
  return {
    id,
    channel_id,
    server_id: "server",
    author: { id: "ada", username: "ada" },
    content: "hello",
    mentions: { user_ids: [], role_ids: [], everyone: false },
    nonce: null,
    created_at: "2026-01-01T00:00:00.000Z",
  };
}

function judge(tally: Tally, acknowledged: string[], disorders = 0) {
  return tally.judge(new Set(acknowledged), disorders);
}

test("everything once and in order is faultless", () => {
  const tally = new Tally();
  for (const id of ["1", "2", "3"]) expect(tally.add(message(id), "live")).toBe(true);
  expect(judge(tally, ["1", "2", "3"])).toEqual({ missing: 0, duplicate: 0, outOfOrder: 0, unknown: 0 });
});

test("each fault is told by its name", () => {
  const tally = new Tally();
  for (const id of ["2", "1", "2", "9"]) tally.add(message(id), "live");
  expect(judge(tally, ["1", "2", "3"], 1)).toEqual({ missing: 1, duplicate: 1, outOfOrder: 2, unknown: 1 });
});

test("order is a matter of one channel", () => {
  const tally = new Tally();
  tally.add(message("2", "left"), "live");
  tally.add(message("1", "right"), "live");
  expect(judge(tally, ["1", "2"]).outOfOrder).toBe(0);
});

test("what was fetched counts as heard, and may come over the socket once more but not twice", () => {
  const tally = new Tally();
  tally.add(message("1"), "live");
  expect(tally.add(message("1"), "recovered")).toBe(false);
  expect(tally.add(message("2"), "recovered")).toBe(true);
  expect(tally.add(message("2"), "live")).toBe(false);
  expect(judge(tally, ["1", "2"])).toEqual({ missing: 0, duplicate: 0, outOfOrder: 0, unknown: 0 });
  tally.add(message("2"), "live");
  expect(judge(tally, ["1", "2"]).duplicate).toBe(1);
});
