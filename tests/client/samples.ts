// Samples of every kind of event, the first about something unknown to the scene, with the parts that they change.
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { channel, conversation, here, idOf, member, message, role, server, user } from "./scene.ts";

export interface Sample {
  data: unknown;
  /** The id of the server of its stream, or `@me`. */
  in: string;
  /** The innermost parts that get a new value, by name: `windows/general/second`. Their containers get one, too. */
  changes: readonly string[];
}

const inHome = (data: unknown, ...changes: string[]): Sample => ({ data, in: "home", changes });
const toBob = (data: unknown, ...changes: string[]): Sample => ({ data, in: "@me", changes });
const inClub = (data: unknown, ...changes: string[]): Sample => ({ data, in: "club", changes });

const pair = (channel: string, user: string) => ({ channel_id: idOf(channel), user_id: idOf(user) });
const gone = (name: string) => ({ id: idOf(name) });
const bot = (name: string) => ({
  user_id: idOf(name),
  bot: {
    ...{ id: idOf(name), owner_id: idOf("alice"), name, description: "", avatar: null },
    created_at: "2026-01-01T12:00:00.000Z",
  },
});
const presence = (name: string, status: string) => ({ ...here(name), status });
const away = { presence: "offline" } as const;
const reaction = (message: string, user: string, emoji: string) => ({
  ...{ message_id: idOf(message), channel_id: idOf("general"), user_id: idOf(user) },
  emoji,
});
const nobody = { user_ids: [], role_ids: [], everyone: false };
const removed = (name: string) => ({ user_id: idOf(name), reason: "kicked" });
const roles = (name: string, ...held: string[]) => ({ user_id: idOf(name), role_ids: held.map(idOf) });

function shared(message: Message) {
  return { ...message, reactions: message.reactions.map(({ emoji, count }) => ({ emoji, count })) };
}

function told(name: string, owner: string, more = {}) {
  const { id, icon, owner_id, member_count, created_at } = server(name, owner);
  return { id, name, icon, owner_id, member_count, created_at, ...more };
}

/** By the event's type on the wire. */
export const samples: Record<string, readonly Sample[]> = {
  USER_UPDATE: [
    inHome(user("nobody", away)),
    inHome(user("carol", { display_name: "Cara" }), "windows/general/second", "members/home/carol"),
    inHome(
      user("alice", { display_name: "Al" }),
      "direct/talk",
      "servers/home/presences",
      "members/home/alice",
    ),
    inClub(user("bob", { bio: "A builder." }), "user", "direct/talk", "members/club/bob"),
  ],
  ME_UPDATE: [
    toBob(
      {
        ...user("bob", { bio: "A builder." }),
        ...{
          email: "bob@example.org",
          instance_role: "admin",
          direct_from: "nobody",
          presence_chosen: "dnd",
        },
      },
      "user",
    ),
  ],
  BLOCKS_UPDATE: [toBob({ user_ids: [idOf("nobody")] }, "blocked")],
  READ_STATE_UPDATE: [
    toBob({ channel_id: idOf("unheard-of"), last_read_id: null, mention_count: 0 }, "readStates"),
    toBob({ channel_id: idOf("general"), last_read_id: null, mention_count: 2 }, "readStates"),
  ],
  NOTIFICATION_SETTINGS_UPDATE: [
    toBob(
      { servers: [{ server_id: idOf("unheard-of"), level: "none", muted_until: null }], channels: [] },
      "notificationSettings",
    ),
  ],
  SERVER_ORDER_UPDATE: [
    toBob({ server_ids: [idOf("unheard-of server")] }, "serverOrder", "servers"),
    toBob({ server_ids: [idOf("club"), idOf("home")] }, "serverOrder", "servers"),
  ],
  CALL_RING: [
    toBob({ ...pair("unheard-of", "alice"), until: "2026-01-01T12:00:30.000Z" }),
    toBob({ ...pair("talk", "alice"), until: "2026-01-01T12:00:30.000Z" }, "direct/talk"),
  ],
  CALL_END: [
    toBob({ channel_id: idOf("unheard-of"), reason: "missed" }),
    toBob({ channel_id: idOf("talk"), reason: "missed" }, "direct/talk"),
  ],
  SESSIONS_UPDATE: [toBob({})],
  PUSH_SUBSCRIPTIONS_UPDATE: [toBob({})],
  BOT_JOIN: [inHome(bot("nobody"))],
  BOT_LEAVE: [inHome(bot("nobody"))],
  CHANNEL_CREATE: [
    inHome(channel("unheard-of", "home", { position: 7 }), "servers/home/channels", "readStates"),
    toBob(conversation("unheard-of talk", ["carol", "bob"]), "direct", "readStates"),
  ],
  CHANNEL_UPDATE: [
    inHome(channel("unheard-of", "home", { position: 7 }), "servers/home/channels"),
    inHome(channel("parlour", "home", { type: "voice", position: 9 }), "servers/home/channels/parlour"),
    toBob(conversation("unheard-of talk", ["carol", "bob"])),
    toBob(conversation("talk", ["alice", "bob", "carol"], { type: "group", name: "Us" }), "direct/talk"),
  ],
  CHANNEL_OVERRIDES_UPDATE: [
    inHome({ channel_id: idOf("unheard-of"), overrides: [] }),
    inHome(
      {
        channel_id: idOf("parlour"),
        overrides: [{ id: idOf("bob"), kind: "member", allow: permission.MANAGE_MESSAGES, deny: 0 }],
      },
      "servers/home/channels/parlour",
    ),
  ],
  CHANNEL_DELETE: [
    inHome(gone("unheard-of")),
    inHome(gone("parlour"), "servers/home/channels", "servers/home/voice"),
    inHome(gone("general"), "servers/home/channels", "windows", "readStates"),
    toBob(gone("talk"), "direct", "readStates"),
  ],
  SERVER_MEMBER_ADD: [inHome(member("nobody", [], away), "servers/home", "members/home")],
  SERVER_MEMBER_REMOVE: [
    inHome(removed("nobody"), "servers/home"),
    inHome(removed("carol"), "servers/home/presences", "members/home"),
    inHome(removed("bob"), "servers", "windows", "members/home", "readStates"),
  ],
  MESSAGE_CREATE: [
    inHome(shared(message("unheard", "nobody", "unheard-of"))),
    inHome(
      shared(message("fourth", "carol", "general")),
      "servers/home/channels/general",
      "windows/general",
      "typists",
      "heard",
    ),
    inHome(shared(message("fifth", "alice", "parlour")), "servers/home/channels/parlour"),
    inHome(
      shared(message("sixth", "alice", "general", { mentions: { ...nobody, user_ids: [idOf("bob")] } })),
      "servers/home/channels/general",
      "windows/general",
      "readStates",
      "heard",
    ),
    inHome(
      shared(message("seventh", "bob", "general")),
      "servers/home/channels/general",
      "windows/general",
      "readStates",
      "heard",
    ),
    toBob(
      shared(message("eighth", "alice", "talk", { server_id: null })),
      "direct/talk",
      "readStates",
      "heard",
    ),
    toBob(shared(message("ninth", "bob", "talk", { server_id: null })), "direct/talk", "readStates", "heard"),
  ],
  MESSAGE_UPDATE: [
    inHome(shared(message("unheard", "nobody", "unheard-of"))),
    inHome(shared(message("second", "carol", "general", { content: "2" })), "windows/general/second"),
    toBob(shared(message("hello", "alice", "talk", { server_id: null, content: "Hi" })), "direct/talk"),
  ],
  MESSAGE_DELETE: [
    inHome({ id: idOf("unheard"), channel_id: idOf("unheard-of") }),
    inHome({ id: idOf("first"), channel_id: idOf("general") }, "windows/general"),
    inHome(
      { id: idOf("second"), channel_id: idOf("general") },
      "servers/home/channels/general",
      "windows/general",
    ),
    toBob({ id: idOf("hello"), channel_id: idOf("talk") }, "direct/talk"),
  ],
  PRESENCE_UPDATE: [
    inHome(presence("nobody", "offline")),
    inHome(presence("carol", "online")),
    inHome(presence("carol", "dnd"), "servers/home/presences/carol", "members/home/carol"),
    inHome(presence("bob", "idle"), "user", "direct/talk", "servers/home/presences/bob", "members/home/bob"),
    toBob(presence("alice", "dnd"), "direct/talk"),
  ],
  REACTION_ADD: [
    inHome(reaction("unheard", "nobody", "🎉")),
    inHome(reaction("second", "alice", "🎉"), "windows/general/second"),
  ],
  REACTION_REMOVE: [
    inHome(reaction("unheard", "nobody", "🎉")),
    inHome(reaction("first", "alice", "🎉"), "windows/general/first"),
  ],
  ROLE_CREATE: [inHome(role("unheard-of role", "home"), "servers/home/roles")],
  ROLE_UPDATE: [
    inHome(role("unheard-of role", "home"), "servers/home/roles"),
    inHome(role("moderators", "home", { color: "#33aaff" }), "servers/home/roles/moderators"),
  ],
  ROLE_DELETE: [
    inHome(gone("unheard-of role")),
    inHome(gone("moderators"), "servers/home/roles", "servers/home/role_ids", "members/home/bob"),
  ],
  SERVER_MEMBER_UPDATE: [
    inHome(roles("nobody")),
    inHome(roles("carol", "moderators"), "members/home/carol"),
    inHome(roles("bob"), "servers/home/role_ids", "members/home/bob"),
  ],
  SERVER_CREATE: [
    { data: server("unheard-of server", "nobody"), in: "unheard-of server", changes: ["servers"] },
  ],
  SERVER_UPDATE: [
    inHome(told("unheard-of server", "nobody")),
    inHome(told("home", "alice")),
    inHome(told("home", "alice", { icon: "https://icons.example/1.png" }), "servers/home"),
  ],
  SERVER_DELETE: [
    { data: gone("unheard-of server"), in: "unheard-of server", changes: [] },
    inClub(gone("club"), "servers", "windows"),
  ],
  TYPING_START: [inHome(pair("unheard-of", "nobody"), "typists")],
  VOICE_JOIN: [
    inHome(pair("unheard-of", "nobody"), "servers/home/voice"),
    inHome(pair("parlour", "carol")),
    toBob(pair("talk", "alice")),
    toBob(pair("talk", "bob"), "direct/talk"),
  ],
  VOICE_LEAVE: [
    inHome(pair("unheard-of", "nobody")),
    inHome(pair("parlour", "carol"), "servers/home/voice"),
    toBob(pair("talk", "alice"), "direct/talk"),
  ],
  VOICE_MUTE: [
    inHome({ ...pair("unheard-of", "nobody"), muted: true }),
    inHome({ ...pair("parlour", "carol"), muted: true }, "servers/home/voice/carol"),
    toBob({ ...pair("talk", "alice"), muted: true }, "direct/talk"),
  ],
  VOICE_DEAFEN: [
    inHome({ ...pair("unheard-of", "nobody"), deafened: true }),
    inHome({ ...pair("parlour", "carol"), deafened: true }, "servers/home/voice/carol"),
    toBob({ ...pair("talk", "alice"), deafened: true }, "direct/talk"),
  ],
};
