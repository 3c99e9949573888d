// What is unread, and what of it wants its reader's eye: muted channels and servers do not.
import { describe, expect, test } from "bun:test";
import type { Copy } from "../../client/copy.ts";
import { isMuted, isUnread, wantsReading } from "../../client/unread.ts";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { type ReadStates, readStatesAfter } from "../../features/read-states/state.ts";
import type { ServerFrame } from "../../protocol/frames.ts";

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
