// Bob's copy with an example of everything: two servers, pages of messages, a voice room, somebody typing; and the
// members of both servers.
import { type Copy, copyFrom, withWindow } from "../../client/copy.ts";
import type { ServerEntry } from "../../client/ready.ts";
import type { Author, User } from "../../features/accounts/contract.ts";
import type { Channel, Conversation } from "../../features/channels/contract.ts";
import type { OwnChannels } from "../../features/channels/state.ts";
import type { Member } from "../../features/members/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { VoiceState } from "../../protocol/voice.ts";
import type { People } from "./people.ts";

export const long = "2026-01-01T12:00:00.000Z";

const ids = new Map<string, string>();

/** Returns the id of a named thing in the scene; each new name gets a greater one. */
export function idOf(name: string): string {
  const id = ids.get(name) ?? `01890000-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
  ids.set(name, id);
  return id;
}

/** Returns the name of an id, `carol`; unknown ids stay as they are. */
export function nameOf(id: string): string {
  return [...ids].find(([, each]) => each === id)?.[0] ?? id;
}

export function user(name: string, more: Partial<User> = {}): User {
  const looks = { bio: "", accent_color: null, status_text: "", avatar: null, badges: [] };
  return {
    id: idOf(name),
    ...{ username: name, display_name: name, presence: "online", bot: false, created_at: long },
    ...looks,
    ...more,
  };
}

export function member(name: string, roles: readonly string[] = [], more: Partial<User> = {}): Member {
  return { user: user(name, more), role_ids: roles.map(idOf), joined_at: long };
}

export function role(name: string, server: string, more: Partial<Role> = {}): Role {
  const bits = { permissions: 1795, position: 1, is_default: false };
  return { id: idOf(name), server_id: idOf(server), name, color: "#99aab5", ...bits, ...more };
}

export function channel(name: string, server: string, more: Partial<Channel> = {}): Channel {
  const rest = {
    type: "text",
    topic: null,
    category: null,
    position: 0,
    last_message_id: null,
    created_at: long,
  } as const;
  return { id: idOf(name), server_id: idOf(server), name, ...rest, ...more };
}

export function conversation(name: string, people: readonly string[], more: Partial<Conversation> = {}) {
  const rest = { topic: null, category: null, position: 0, created_at: long, owner_id: null } as const;
  const recipients = people.map((each) => user(each));
  return {
    ...{ id: idOf(name), server_id: null, type: "direct", name: null, last_message_id: null, ...rest },
    ...{ recipients, ...more },
  } as Conversation;
}

/** Returns channels as the copy of a member holds them. */
export function ownChannels(channels: readonly Channel[]): OwnChannels {
  return new Map(channels.map((each) => [each.id, { ...each, permissions: 1795, isPrivate: false }]));
}

export function message(name: string, by: string, channel: string, more: Partial<Message> = {}): Message {
  const author: Author = { id: idOf(by), username: by, display_name: by, avatar: null, kind: "user" };
  return {
    ...{ id: idOf(name), channel_id: idOf(channel), server_id: idOf("home"), author, content: name },
    ...{ reply_to: null, mentions: { user_ids: [], role_ids: [], everyone: false }, attachments: [] },
    ...{ nonce: null, edited_at: null, created_at: long, reactions: [] },
    ...more,
  };
}

export function server(name: string, owner: string, more: Partial<ServerEntry> = {}): ServerEntry {
  const everyone = role(`everyone of ${name}`, name, { position: 0, is_default: true });
  return {
    ...{ id: idOf(name), name, icon: null, owner_id: idOf(owner), member_count: 3, created_at: long },
    ...{ permissions: 1795, channels: [], roles: [everyone], role_ids: [], voice: [], presences: [], seq: 1 },
    ...more,
  };
}

export function here(name: string) {
  return { user_id: idOf(name), status: "online", status_text: "" } as const;
}

function inRoom(room: string, user: string): VoiceState {
  return { channel_id: idOf(room), user_id: idOf(user), muted: false, deafened: false, joined_at: long };
}

/** Alice owns Home, where Bob is a moderator and Carol is in the parlour; Bob owns Club. */
export function sceneServers(): readonly [home: ServerEntry, club: ServerEntry] {
  const home = server("home", "alice", {
    channels: [channel("general", "home"), channel("parlour", "home", { type: "voice", position: 1 })],
    roles: [role("moderators", "home"), ...server("home", "alice").roles],
    role_ids: [idOf("moderators")],
    voice: [inRoom("parlour", "carol")],
    presences: [here("bob"), here("carol")],
  });
  const club = server("club", "bob", {
    permissions: 2047,
    channels: [channel("lounge", "club")],
    presences: [here("bob")],
  });
  return [home, club];
}

/**
 * Bob's copy: Carol types in general, some messages of two channels are loaded, and Alice said hello to him alone, and
 * rings.
 */
export function scene(): Copy {
  const [first, second, third] = [
    message("first", "bob", "general", { reactions: [{ emoji: "🎉", count: 1, me: false }] }),
    message("second", "carol", "general"),
    message("third", "bob", "lounge", { server_id: idOf("club") }),
  ];
  const bob = {
    ...user("bob"),
    email: "bob@people.example",
    instance_role: "member",
    direct_from: "shared_servers",
    presence_chosen: "online",
  } as const;
  const ready = {
    user: bob,
    session_id: "",
    epoch: "",
    heartbeat_interval_ms: 30_000,
    servers: sceneServers(),
    direct: [
      {
        ...conversation("talk", ["alice", "bob"], { last_message_id: idOf("hello") }),
        permissions: 1795,
        last_message: { id: idOf("hello"), author_id: idOf("alice"), excerpt: "hello", attachment_count: 0 },
        voice: [inRoom("talk", "alice")],
        call: { user_id: idOf("alice"), until: long },
      },
    ],
    read_states: [
      { channel_id: idOf("general"), last_read_id: idOf("first"), mention_count: 0 },
      { channel_id: idOf("talk"), last_read_id: idOf("hello"), mention_count: 0 },
    ],
  };
  const empty: Copy = {
    ...copyFrom(ready),
    typists: [{ channel_id: idOf("general"), user_id: idOf("carol"), at: long }],
  };
  return withWindow(
    withWindow(empty, idOf("general"), { live: { messages: [second, first], hasOlder: false } }),
    idOf("lounge"),
    { live: { messages: [third], hasOlder: false } },
  );
}

export function people(): People {
  return new Map([
    [idOf("home"), [member("alice"), member("bob", ["moderators"]), member("carol")]],
    [idOf("club"), [member("bob")]],
  ]);
}

// Gives the scene's names lower ids than any later name, in whichever order files are loaded.
scene();
