// Unread channels, and those that ask for attention: muted channels and servers do not.
import { describe, expect, test } from "bun:test";
import type { Copy } from "../../client/copy.ts";
import { idBefore } from "../../client/id-before.ts";
import { isMuted, isUnread, mentionsIn, wantsReading } from "../../client/unread.ts";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { lastMessagesAfter } from "../../features/messages/state.ts";
import { type ReadStates, readStatesAfter } from "../../features/read-states/state.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { ownChannels } from "./scene.ts";

type Known = Pick<Copy, "readStates" | "notificationSettings">;

const channel: Channel = {
  ...{ id: "channel", server_id: "server", name: "general", type: "text" },
  ...{ position: 0, category: null, last_message_id: "0190-2" },
} as Channel;

function known(muted: { server?: string | null; channel?: string | null }, lastRead?: string): Known {
  const { server, channel } = muted;
  const of = (muted_until: string | null) => ({ level: null, muted_until });
  return {
    readStates: new Map(
      lastRead === undefined
        ? []
        : [["channel", { channel_id: "channel", last_read_id: lastRead, mention_count: 0 }]],
    ),
    notificationSettings: {
      servers: server === undefined ? [] : [{ server_id: "server", ...of(server) }],
      channels: channel === undefined ? [] : [{ channel_id: "channel", ...of(channel) }],
    },
  } as unknown as Known;
}

const [before, after] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());

test("the last message that was read counts no more: its end takes nothing from those that are unread", () => {
  const reader = { id: "bob", roleIds: [], blocked: [] };
  const states: ReadStates = new Map([
    ["channel", { channel_id: "channel", last_read_id: "0190-2", mention_count: 2 }],
  ]);
  const left = [1, 2, 3].map((n) => {
    const mentions = { user_ids: ["bob"], role_ids: [], everyone: false };
    const message = { id: `0190-${n}`, channel_id: "channel", author: { id: "alice" }, mentions };
    const frame = { type: "MESSAGE_DELETE", ts: "", data: { id: message.id, channel_id: "channel" } };
    const after = readStatesAfter(states, reader, message as unknown as Message, frame as ServerFrame);
    return after.get("channel")?.mention_count;
  });
  expect(left).toEqual([2, 2, 1]);
});

describe("what mentions its reader", () => {
  const reader = { id: "bob", roleIds: ["helpers"], blocked: ["mallory"] };
  const nobody = { user_ids: [], role_ids: [], everyone: false };
  const said = (n: number, author: string, mentions: object) =>
    ({ id: `0190-${n}`, channel_id: "channel", author: { id: author }, mentions }) as unknown as Message;
  const counted = (mention_count: number, last_read_id: string | null = "0190-2"): ReadStates =>
    new Map([["channel", { channel_id: "channel", last_read_id, mention_count }]]);
  const after = (states: ReadStates, type: string, data: unknown, before?: Message) =>
    readStatesAfter(states, reader, before, { type, ts: "", data } as ServerFrame).get("channel");

  test("does so by name, by a role that they hold and by everyone, but not from themselves or whom they block", () => {
    for (const [author, mentions, count] of [
      ["alice", nobody, 0],
      ["alice", { ...nobody, user_ids: ["carol", "bob"] }, 1],
      ["alice", { ...nobody, user_ids: ["carol"] }, 0],
      ["alice", { ...nobody, role_ids: ["others", "helpers"] }, 1],
      ["alice", { ...nobody, role_ids: ["others"] }, 0],
      ["alice", { ...nobody, everyone: true }, 1],
      ["mallory", { user_ids: ["bob"], role_ids: ["helpers"], everyone: true }, 0],
      ["bob", { user_ids: ["bob"], role_ids: ["helpers"], everyone: true }, 0],
    ] as const) {
      const state = after(counted(0), "MESSAGE_CREATE", said(3, author, mentions));
      expect([author, mentions, state?.mention_count]).toEqual([author, mentions, count]);
    }
  });

  test("counts up to a hundred, behind the marker alone, and never below nothing", () => {
    const call = { ...nobody, user_ids: ["bob"] };
    const state = (count: number, n: number, read?: string | null) =>
      after(counted(count, read), "MESSAGE_CREATE", said(n, "alice", call))?.mention_count;
    expect([state(99, 3), state(100, 3), state(4, 2), state(4, 1), state(4, 1, null)]).toEqual([
      100, 100, 4, 4, 5,
    ]);
    const gone = (count: number, mentions: object) =>
      after(counted(count), "MESSAGE_DELETE", said(3, "alice", mentions), said(3, "alice", mentions))
        ?.mention_count;
    expect([gone(2, call), gone(0, call), gone(2, nobody)]).toEqual([1, 0, 2]);
  });

  test("comes and goes by a correction", () => {
    const call = { ...nobody, everyone: true };
    const corrected = (from: object, to: object) =>
      after(counted(5), "MESSAGE_UPDATE", said(3, "alice", to), said(3, "alice", from))?.mention_count;
    expect([corrected(nobody, call), corrected(call, nobody), corrected(call, call)]).toEqual([6, 4, 5]);
  });

  test("is read by whoever answers, and anew in a channel that comes into sight", () => {
    expect(after(counted(7), "MESSAGE_CREATE", said(3, "bob", nobody))).toEqual({
      ...{ channel_id: "channel", last_read_id: "0190-3", mention_count: 0 },
    });
    const seen = { ...channel, last_message_id: "0190-9" };
    expect(after(new Map(), "CHANNEL_CREATE", seen)).toEqual({
      ...{ channel_id: "channel", last_read_id: "0190-9", mention_count: 0 },
    });
    expect(after(counted(7), "CHANNEL_CREATE", seen)?.mention_count).toBe(7);
    expect(after(new Map(), "CHANNEL_CREATE", { ...seen, type: "voice" })).toBeUndefined();
    expect(after(counted(7), "CHANNEL_DELETE", { id: "channel" })).toBeUndefined();
  });
});

test("the mentions of all channels are counted together", () => {
  const states = ["one", "other"].map(
    (channel_id, i) => [channel_id, { channel_id, last_read_id: null, mention_count: 3 + i }] as const,
  );
  expect(mentionsIn({ readStates: new Map(states), direct: new Map() })).toBe(7);
});

test("the last message of a channel is never an older one, whatever comes late", () => {
  const after = (type: string, id: string, newest?: string | null) => {
    const frame = { type, ts: "", data: { id, channel_id: "channel" } } as ServerFrame;
    const newestOf = () => (newest ? { id: newest } : (newest as null | undefined));
    return lastMessagesAfter(ownChannels([channel]), frame, newestOf).get("channel")?.last_message_id;
  };
  expect([after("MESSAGE_CREATE", "0190-1"), after("MESSAGE_CREATE", "0190-3")]).toEqual([
    "0190-2",
    "0190-3",
  ]);
  expect(after("MESSAGE_DELETE", "0190-1", "0190-0")).toBe("0190-2");
  const left = [undefined, null, "0190-1"].map((known) => after("MESSAGE_DELETE", "0190-2", known));
  expect(left).toEqual(["0190-2", null, "0190-1"]);
});

test("what is marked as unread begins right before the message: at the greatest id that is less", () => {
  expect(idBefore("01890000-0000-7000-8000-000000000001")).toBe("01890000-0000-7000-8000-000000000000");
  expect(idBefore("01890000-0000-7000-8000-000000000000")).toBe("01890000-0000-7000-7fff-ffffffffffff");
  expect(idBefore("00000000-0000-0000-0000-000000000010")).toBe("00000000-0000-0000-0000-00000000000f");
});

describe("a channel", () => {
  test("is unread from its first message on, until the last one is read", () => {
    expect(isUnread(known({}), channel)).toBe(true);
    expect(isUnread(known({}, "0190-1"), channel)).toBe(true);
    expect(isUnread(known({}, "0190-2"), channel)).toBe(false);
    expect(isUnread(known({}), { ...channel, last_message_id: null } as Channel)).toBe(false);
    expect(isUnread(known({}), { ...channel, type: "voice" } as Channel)).toBe(false);
  });

  test("that is muted, or whose server is, wants nobody's eye, though it is unread", () => {
    for (const muted of [{ channel: after }, { server: after }, { channel: after, server: before }]) {
      expect(isMuted(known(muted), channel)).toBe(true);
      expect(isUnread(known(muted), channel)).toBe(true);
      expect(wantsReading(known(muted), channel)).toBe(false);
    }
  });

  test("that was muted for a time, or never, wants it", () => {
    for (const muted of [{}, { channel: before }, { channel: null }, { server: before, channel: null }]) {
      expect(isMuted(known(muted), channel)).toBe(false);
      expect(wantsReading(known(muted), channel)).toBe(true);
    }
    expect(wantsReading(known({}, "0190-2"), channel)).toBe(false);
  });

  test("of another server, or another channel of this one, mutes nothing here", () => {
    const settings = {
      servers: [{ server_id: "other", level: null, muted_until: after }],
      channels: [{ channel_id: "other", level: null, muted_until: after }],
    };
    const others = { ...known({}), notificationSettings: settings } as unknown as Known;
    expect(isMuted(others, channel)).toBe(false);
    expect(wantsReading(others, channel)).toBe(true);
  });
});
