// A client's copy of conversations: their names, the newest message, what is unread, and which are in the list.
import { expect, test } from "bun:test";
import { type Copy, copyAfter, withBlocked, withWindow } from "../../client/copy.ts";
import { isUnread, mentionsIn, unreadIn } from "../../client/unread.ts";
import type { OwnConversation } from "../../features/direct/state.ts";
import { withConversation } from "../../features/direct/view/fetched.ts";
import { ownStream, type ServerFrame } from "../../protocol/frames.ts";
import { conversation, idOf, long, message, scene, user } from "./scene.ts";

const talk = idOf("talk");

function heard(type: string, data: unknown): ServerFrame {
  return { type, data, stream: ownStream, ts: long };
}

function after(copy: Copy, ...frames: [type: string, data: unknown][]): Copy {
  return frames.reduce((now, [type, data]) => copyAfter(now, heard(type, data)), copy);
}

function talkIn(copy: Copy, id = talk): OwnConversation {
  const found = copy.direct.get(id);
  if (!found) throw new Error("there is no such conversation");
  return found;
}

function said(name: string, by: string, more = {}) {
  return message(name, by, "talk", { server_id: null, ...more });
}

const unread = (copy: Copy) => copy.readStates.get(talk)?.mention_count;

test("a conversation is called by the others' names, a group by its own, and both follow its people", () => {
  const three = ["alice", "bob", "carol"];
  const copy = after(
    scene(),
    ["CHANNEL_CREATE", conversation("three", three, { type: "group" })],
    ["CHANNEL_CREATE", conversation("named", three, { type: "group", name: "Us" })],
  );
  const names = (of: Copy) => [...of.direct.values()].map(({ name }) => name);
  expect(names(copy)).toEqual(["alice", "alice, carol", "Us"]);
  expect(names(after(copy, ["USER_UPDATE", user("alice", { display_name: "Al" })]))).toEqual([
    "Al",
    "Al, carol",
    "Us",
  ]);
  const renamed = conversation("named", three, { type: "group", name: null });
  expect(talkIn(after(copy, ["CHANNEL_UPDATE", renamed]), idOf("named")).name).toBe("alice, carol");
  const alone = conversation("named", ["bob"], { type: "group" });
  expect(talkIn(after(copy, ["CHANNEL_UPDATE", alone]), idOf("named")).name).toBe("bob");
});

test("the newest message is the one that was said last, as it was corrected, and the one before when it goes", () => {
  const copy = after(scene(), ["MESSAGE_CREATE", said("new one", "bob")]);
  expect(talkIn(copy)).toMatchObject({
    last_message_id: idOf("new one"),
    last_message: { author_id: idOf("bob"), content: "new one", attachment_count: 0 },
  });
  const corrected = after(copy, ["MESSAGE_UPDATE", said("new one", "bob", { content: "newer" })]);
  expect(talkIn(corrected).last_message?.content).toBe("newer");
  const older = after(copy, ["MESSAGE_UPDATE", said("hello", "alice", { content: "Hi" })]);
  expect(talkIn(older).last_message?.content).toBe("new one");
  const gone: [string, unknown] = ["MESSAGE_DELETE", { id: idOf("new one"), channel_id: talk }];
  expect(talkIn(after(copy, gone)).last_message).toBeNull();
  const page = { messages: [said("new one", "bob"), said("hello", "alice")], hasOlder: false };
  expect(talkIn(after(withWindow(copy, talk, { live: page }), gone))).toMatchObject({
    last_message_id: idOf("hello"),
    last_message: { author_id: idOf("alice"), content: "hello" },
  });
});

test("every message of others counts, until it is read or deleted; those of blocked people and one's own do not", () => {
  const copy = after(
    scene(),
    ["MESSAGE_CREATE", said("count 1", "alice")],
    ["MESSAGE_CREATE", said("count 2", "alice")],
  );
  expect([unread(copy), unreadIn(copy), mentionsIn(copy)]).toEqual([2, 2, 0]);
  expect(isUnread(copy, talkIn(copy))).toBe(true);
  const gone: [string, unknown] = ["MESSAGE_DELETE", { id: idOf("count 2"), channel_id: talk }];
  expect(unread(after(copy, gone))).toBe(1);
  expect(unread(after(copy, ["MESSAGE_CREATE", said("answer", "bob")]))).toBe(0);
  const blocking = after({ ...copy, blocked: [idOf("alice")] }, ["MESSAGE_CREATE", said("count 3", "alice")]);
  expect(unread(blocking)).toBe(2);
  const muted = [{ channel_id: talk, level: null, muted_until: "9999-12-31T23:59:59.999Z" }];
  expect(unreadIn({ ...copy, notificationSettings: { servers: [], channels: muted } })).toBe(0);
});

test("what blocked people said before it is known whom one blocks does not count afterwards", () => {
  const rude = said("rude", "alice");
  const copy = after(
    scene(),
    ["MESSAGE_CREATE", rude],
    ["MESSAGE_CREATE", said("worse", "alice")],
    ["MESSAGE_CREATE", said("kind", "carol")],
    ["MESSAGE_DELETE", { id: idOf("worse"), channel_id: talk }],
  );
  expect(unread(copy)).toBe(2);
  const known = withBlocked(copy, [idOf("alice")]);
  expect(unread(known)).toBe(1);
  // The same list again, as after each READY, changes nothing; another one does, as the server's count does.
  expect(withBlocked(known, [idOf("alice")])).toBe(known);
  expect(unread(withBlocked(known, []))).toBe(2);
  expect(unread(after(copy, ["BLOCKS_UPDATE", { user_ids: [idOf("alice")] }]))).toBe(1);
  expect(unread(withBlocked(copy, []))).toBe(2);
  // The server's count knows whom the reader blocks.
  const read = { channel_id: talk, last_read_id: null, mention_count: 1 };
  expect(unread(withBlocked(after(copy, ["READ_STATE_UPDATE", read]), [idOf("alice")]))).toBe(1);
});

test("what blocked people delete, and did not count, takes nothing from what others said, without a page too", () => {
  const talks = { ...scene(), windows: new Map(), blocked: [idOf("alice")] };
  const copy = after(
    talks,
    ["MESSAGE_CREATE", said("rude", "alice")],
    ["MESSAGE_CREATE", said("kind", "carol")],
    ["MESSAGE_DELETE", { id: idOf("rude"), channel_id: talk }],
  );
  expect(unread(copy)).toBe(1);
});

test("a mention that is corrected away before it is known whom one blocks is not taken back a second time", () => {
  const general = (name: string, by: string, user_ids: string[]) =>
    message(name, by, "general", { mentions: { user_ids, role_ids: [], everyone: false } });
  const count = (of: Copy) => of.readStates.get(idOf("general"))?.mention_count;
  const copy = { ...scene(), windows: new Map() };
  const mine = [copy.user.id];
  const corrected = after(
    copy,
    ["MESSAGE_CREATE", general("rude", "alice", [])],
    ["MESSAGE_CREATE", general("kind", "carol", mine)],
    ["MESSAGE_UPDATE", general("rude", "alice", mine)],
  );
  const before = count(copy) ?? 0;
  expect(count(corrected)).toBe(before + 2);
  expect(count(withBlocked(corrected, [idOf("alice")]))).toBe(before + 1);
  const gone = after(corrected, ["MESSAGE_DELETE", { id: idOf("rude"), channel_id: idOf("general") }]);
  expect(count(withBlocked(gone, [idOf("alice")]))).toBe(before + 1);
});

test("a hidden one leaves the list and comes back; one fetched at its address stays out until somebody writes", () => {
  const hidden = after(scene(), ["CHANNEL_DELETE", { id: talk }]);
  expect([...hidden.direct]).toEqual([]);
  const shown = conversation("talk", ["alice", "bob"], { last_message_id: idOf("hello") });
  expect([...after(hidden, ["CHANNEL_UPDATE", shown]).direct]).toEqual([]);
  const fetched = withConversation(hidden, shown);
  expect(talkIn(fetched).isListed).toBe(false);
  expect(talkIn(after(fetched, ["CHANNEL_UPDATE", shown])).isListed).toBe(false);
  const back = after(fetched, ["CHANNEL_CREATE", shown], ["MESSAGE_CREATE", said("back again", "alice")]);
  expect([talkIn(back).isListed, unread(back)]).toEqual([true, 1]);
  expect(talkIn(after(fetched, ["MESSAGE_CREATE", said("back again", "alice")])).isListed).toBe(true);
});

test("a call rings until it ends, and the room has those who came; a change of the conversation keeps both", () => {
  const until = "2026-01-01T12:00:30.000Z";
  const ringing = after(
    scene(),
    ["CALL_RING", { channel_id: talk, user_id: idOf("alice"), until }],
    ["VOICE_JOIN", { channel_id: talk, user_id: idOf("bob") }],
    ["CHANNEL_UPDATE", conversation("talk", ["alice", "bob"])],
  );
  const inside = (copy: Copy) => talkIn(copy).voice.map(({ user_id }) => user_id);
  expect(talkIn(ringing).call).toEqual({ user_id: idOf("alice"), until });
  expect(inside(ringing)).toEqual([idOf("alice"), idOf("bob")]);
  const over = after(ringing, ["CALL_END", { channel_id: talk, reason: "missed" }]);
  expect(talkIn(over).call).toBeNull();
  expect(inside(after(over, ["VOICE_LEAVE", { channel_id: talk, user_id: idOf("alice") }]))).toEqual([
    idOf("bob"),
  ]);
});
