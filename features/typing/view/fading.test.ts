// A typing signal expires by the reader's own clock, whatever the server's says.
import { expect, test } from "bun:test";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { stillTyping, typistsAfter, withoutTypist } from "../state.ts";
import { fadesAfterMs, type Seen, seenAfter, stillThere } from "./fading.ts";

const at = (ms: number) => new Date(ms).toISOString();
const alice = (ms: number) => ({ channel_id: "c", user_id: "alice", at: at(ms) });
const bob = (ms: number) => ({ channel_id: "c", user_id: "bob", at: at(ms) });
const nothing: Seen = new Map();

test("it counts from when it came, also by a server whose clock is wrong", () => {
  let seen = seenAfter(nothing, [alice(-7_200_000)], 100);
  seen = seenAfter(seen, [alice(0)], 0);
  seen = seenAfter(seen, [alice(0), bob(-3_600_000)], 2000);
  expect(stillThere(seen, [alice(0), bob(-3_600_000)], 2000).ids).toEqual(["alice", "bob"]);
  const later = stillThere(seen, [alice(0), bob(-3_600_000)], fadesAfterMs + 500);
  expect(later).toEqual({ ids: ["bob"], nextMs: 1500 });
});

test("another sign begins it anew; one that was there before anybody looked may be over", () => {
  const seen = seenAfter(seenAfter(undefined, [alice(0)], 10), [alice(3000)], 3010);
  expect(stillThere(seen, [alice(3000)], 9000).ids).toEqual(["alice"]);
  const old = seenAfter(undefined, [alice(0)], 60_000);
  expect(stillThere(old, [alice(0)], 60_000)).toEqual({ ids: [], nextMs: undefined });
});

test("a copy keeps one sign a person and channel, and none that is ten seconds old", () => {
  const sign = (user_id: string, ms: number, channel_id = "c"): ServerFrame => {
    return { type: "TYPING_START", data: { channel_id, user_id }, server_id: "s", ts: at(ms) };
  };
  const signs = [sign("alice", 0), sign("bob", 4000), sign("alice", 5000, "d"), sign("alice", 9999)];
  const typists = signs.reduce(typistsAfter, []);
  expect(typists).toEqual([bob(4000), { ...alice(5000), channel_id: "d" }, alice(9999)]);
  const later = typistsAfter(typists, sign("carol", 14_000));
  expect(later.map(({ user_id }) => user_id)).toEqual(["alice", "alice", "carol"]);
  expect(stillTyping(typists, 13_999)).toBe(typists);
  expect(withoutTypist(typists, "c", "alice")).toEqual([bob(4000), { ...alice(5000), channel_id: "d" }]);
});
