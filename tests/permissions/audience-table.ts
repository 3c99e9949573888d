// The audience of each event, as data: how the event comes about, and which of the listeners receive it.

import type { Channel, Conversation } from "../../features/channels/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { Server } from "../../features/servers/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import type { LiveKitDouble } from "../doubles/livekit.ts";
import { TestBot } from "../house/people/bots.ts";
import type { Ear } from "../house/people/ear.ts";
import { signInAgain, subscribe } from "../house/people/own-devices.ts";
import type { TestPerson } from "../house/people/people.ts";
import { enter } from "../house/scenes/parlour.ts";

/** Each listener has a socket open all the time. `leaver` is a member who can see; `guest` comes and goes. */
export const listeners = ["owner", "seer", "blind", "leaver", "guest", "stranger"] as const;
export type Listener = (typeof listeners)[number];

export interface Scene {
  people: Readonly<Record<Listener, TestPerson>>;
  server: Server & { general: Channel; everyone: Role };
  ears: Readonly<Record<Listener, Ear>>;
  media: LiveKitDouble;
  /** A voice channel; the owner is inside from VOICE_JOIN to VOICE_LEAVE. */
  parlour: Channel;
}

interface AudienceRow {
  event: string;
  hear: readonly Listener[];
  cause(scene: Scene): Promise<unknown>;
}

const viewers: readonly Listener[] = ["owner", "seer", "leaver"];
const members: readonly Listener[] = ["owner", "seer", "blind", "leaver"];

function heardBy(hear: readonly Listener[], event: string, cause: AudienceRow["cause"]): AudienceRow {
  return { event, hear, cause };
}

const say = ({ people, server }: Scene) => people.seer.say(server.general.id, "a word");
const room = async ({ people, server }: Scene) =>
  (await people.owner.post<Channel>("/channels", { server_id: server.id, name: "a room" })).body;
const role = async ({ people, server }: Scene) =>
  (await people.owner.post<Role>(`/servers/${server.id}/roles`, { name: "a role", permissions: 0 })).body;
const comeIn = ({ people, server }: Scene) => people.owner.bringIn(server.id, people.guest);

const conversation = async ({ people }: Scene) => {
  const user_ids = [people.seer.id];
  return (await people.owner.post<Conversation>("/direct", { user_ids })).body;
};

export const audiences: readonly AudienceRow[] = [
  heardBy(viewers, "MESSAGE_CREATE", say),
  heardBy(viewers, "MESSAGE_UPDATE", async (scene) =>
    scene.people.seer.patch(`/messages/${(await say(scene)).id}`, { content: "another word" }),
  ),
  heardBy(viewers, "MESSAGE_DELETE", async (scene) =>
    scene.people.seer.delete(`/messages/${(await say(scene)).id}`),
  ),
  heardBy(viewers, "REACTION_ADD", async (scene) =>
    scene.people.seer.post(`/messages/${(await say(scene)).id}/reactions`, { emoji: "👍" }),
  ),
  heardBy(viewers, "REACTION_REMOVE", async (scene) => {
    const { id } = await say(scene);
    await scene.people.seer.post(`/messages/${id}/reactions`, { emoji: "👍" });
    return scene.people.seer.delete(`/messages/${id}/reactions/${encodeURIComponent("👍")}`);
  }),
  heardBy(viewers, "CHANNEL_CREATE", room),
  heardBy(viewers, "CHANNEL_UPDATE", async (scene) =>
    scene.people.owner.patch(`/channels/${(await room(scene)).id}`, { name: "the same room" }),
  ),
  heardBy(viewers, "CHANNEL_DELETE", async (scene) =>
    scene.people.owner.delete(`/channels/${(await room(scene)).id}`),
  ),
  heardBy(viewers, "CHANNEL_OVERRIDES_UPDATE", async (scene) => {
    const override = { kind: "role", deny: permission.SHARE_SCREEN };
    const path = `/channels/${(await room(scene)).id}/overrides/${scene.server.everyone.id}`;
    return scene.people.owner.put(path, override);
  }),
  // The person who types does not receive it.
  heardBy(["owner", "leaver"], "TYPING_START", ({ people, server }) =>
    people.seer.post(`/channels/${server.general.id}/typing`),
  ),
  heardBy(members, "SERVER_UPDATE", ({ people, server }) =>
    people.owner.patch(`/servers/${server.id}`, { name: "Renamed" }),
  ),
  heardBy(members, "ROLE_CREATE", role),
  heardBy(members, "ROLE_UPDATE", async (scene) =>
    scene.people.owner.patch(`/servers/${scene.server.id}/roles/${(await role(scene)).id}`, { name: "b" }),
  ),
  heardBy(members, "ROLE_DELETE", async (scene) =>
    scene.people.owner.delete(`/servers/${scene.server.id}/roles/${(await role(scene)).id}`),
  ),
  heardBy(members, "SERVER_MEMBER_UPDATE", ({ people, server }) =>
    people.owner.giveRole(server.id, people.leaver, permission.VIEW_CHANNEL),
  ),
  heardBy(members, "PRESENCE_UPDATE", ({ people }) =>
    people.leaver.put("/auth/me/presence", { status: "idle" }),
  ),
  heardBy(["seer"], "ME_UPDATE", ({ people }) => people.seer.patch("/auth/me", { bio: "Of my own." })),
  heardBy(["seer"], "BLOCKS_UPDATE", ({ people }) => people.seer.put(`/blocks/${people.leaver.id}`)),
  heardBy(["seer"], "READ_STATE_UPDATE", async (scene) => {
    const { id, channel_id } = await scene.people.owner.say(scene.server.general.id, "a word");
    await scene.people.seer.put(`/channels/${channel_id}/read`, { message_id: id });
  }),
  heardBy(["seer"], "NOTIFICATION_SETTINGS_UPDATE", ({ people, server }) =>
    people.seer.put(`/servers/${server.id}/notification-settings`, { level: "all" }),
  ),
  heardBy(["seer"], "SERVER_ORDER_UPDATE", async ({ people, server }) => {
    const { id } = await people.seer.makeServer();
    await people.seer.put("/auth/me/server-order", { server_ids: [id, server.id] });
  }),
  heardBy(["seer"], "SESSIONS_UPDATE", ({ people }) => signInAgain(people.seer)),
  heardBy(["seer"], "PUSH_SUBSCRIPTIONS_UPDATE", ({ people }) => subscribe(people.seer)),
  heardBy(members, "USER_UPDATE", ({ people }) => people.leaver.patch("/auth/me", { bio: "Hello." })),
  heardBy(viewers, "VOICE_JOIN", ({ media, people, parlour }) => enter(media, people.owner, parlour.id)),
  heardBy(viewers, "VOICE_MUTE", async ({ media, people, parlour }) => {
    await media.microphone(parlour.id, people.owner.id, "on");
    await media.microphone(parlour.id, people.owner.id, "gone");
  }),
  heardBy(viewers, "VOICE_DEAFEN", async ({ ears, parlour }) =>
    ears.owner.say("VOICE_DEAFEN", { channel_id: parlour.id, deafened: true }),
  ),
  heardBy(viewers, "VOICE_LEAVE", ({ media, people, parlour }) => media.leave(parlour.id, people.owner.id)),
  heardBy(["seer"], "CALL_RING", async (scene) =>
    scene.people.owner.post(`/channels/${(await conversation(scene)).id}/call`),
  ),
  heardBy(["owner", "seer"], "CALL_END", async (scene) =>
    scene.people.owner.delete(`/channels/${(await conversation(scene)).id}/call`),
  ),
  // The new member receives the server itself instead of the event about them.
  heardBy(members, "SERVER_MEMBER_ADD", comeIn),
  heardBy([...members, "guest"], "SERVER_MEMBER_REMOVE", ({ people, server }) =>
    people.owner.delete(`/servers/${server.id}/members/${people.guest.id}`),
  ),
  heardBy(members, "BOT_JOIN", async ({ people, server }) =>
    (await TestBot.make(people.owner)).enter(server.id),
  ),
  heardBy(members, "BOT_LEAVE", async ({ people, server }) => {
    const bot = await TestBot.make(people.owner);
    await bot.enter(server.id);
    return people.owner.delete(`/bots/${bot.id}`);
  }),
  heardBy(members, "SERVER_DELETE", ({ people, server }) => people.owner.delete(`/servers/${server.id}`)),
];
