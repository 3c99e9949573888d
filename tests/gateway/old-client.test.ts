// A client of the first contract, without personal streams, read states and later additions: it gets everything that it
// expects, in the shape that it expects, and can skip the rest.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import type { HeardFrame } from "../house/people/heard.ts";
import type { TestPerson } from "../house/people/people.ts";
import { png, upload } from "../house/scenes/files.ts";
import { neighbours } from "../house/scenes/home.ts";
import { stored } from "../house/scenes/read-states.ts";

const message = [
  ...["id", "channel_id", "server_id", "author", "content", "reply_to", "mentions", "attachments"],
  ...["nonce", "edited_at", "created_at", "reactions"],
];
const channel = ["id", "server_id", "name", "type", "category", "position", "last_message_id", "created_at"];
const user = [
  ...["id", "username", "display_name", "avatar", "bio", "accent_color", "status_text", "presence"],
  ...["badges", "bot", "created_at"],
];
/** The events that such a client knows, with the fields that it reads. */
const known: Record<string, readonly string[]> = {
  MESSAGE_CREATE: message,
  MESSAGE_UPDATE: message,
  MESSAGE_DELETE: ["id", "channel_id"],
  REACTION_ADD: ["message_id", "channel_id", "user_id", "emoji"],
  CHANNEL_CREATE: channel,
  CHANNEL_UPDATE: channel,
  CHANNEL_DELETE: ["id"],
  TYPING_START: ["channel_id", "user_id"],
  SERVER_MEMBER_ADD: ["user", "role_ids", "joined_at"],
  SERVER_MEMBER_REMOVE: ["user_id", "reason"],
  PRESENCE_UPDATE: ["user_id", "status", "status_text"],
  USER_UPDATE: user,
  ROLE_CREATE: ["id", "server_id", "name", "color", "permissions", "position", "is_default"],
  SERVER_MEMBER_UPDATE: ["user_id", "role_ids"],
};
/** Events without numbers: live ones, or those about one's own permissions. */
const unnumbered = new Set(["TYPING_START", "PRESENCE_UPDATE", "USER_UPDATE"]);
const entry = [
  ...["id", "name", "icon", "owner_id", "member_count", "created_at", "permissions"],
  ...["channels", "roles", "role_ids", "voice", "presences", "seq"],
];

/** Reads the frames as the client does. Returns the types that it does not know, and skips. */
function follow(frames: readonly HeardFrame[], seqs: Map<string, number>): Set<string> {
  const unknown = new Set<string>();
  for (const { type, data, server_id, seq } of frames) {
    if (["READY", "RESUMED", "PONG"].includes(type)) continue;
    const fields = known[type];
    if (!fields) {
      unknown.add(type);
      // Unknown events must not be part of a server's numbers.
      expect([type, server_id]).toEqual([type, undefined]);
      continue;
    }
    expect([type, fields.filter((field) => !(field in data))]).toEqual([type, []]);
    expect(typeof server_id).toBe("string");
    if (unnumbered.has(type)) expect([type, seq]).toEqual([type, undefined]);
    else expect(Number(seq)).toBeGreaterThan(seqs.get(server_id ?? "") ?? -1);
    if (seq !== undefined) seqs.set(server_id ?? "", seq);
  }
  return unknown;
}

onEachEngine("a client of the first contract", (house) => {
  test("goes through an evening undisturbed, is cut off, and is told what it missed and nothing else", async () => {
    const { alice, bob, carol, home } = await neighbours(house());
    const ear = await bob.listen();
    const ready = ear.ready as unknown as { epoch: string; servers: { id: string; seq: number }[] };
    for (const field of ["user", "session_id", "epoch", "heartbeat_interval_ms", "servers"])
      expect(ready).toHaveProperty(field);
    for (const field of entry) expect(ready.servers[0]).toHaveProperty(field);
    const seqs = new Map(ready.servers.map(({ id, seq }) => [id, seq]));

    await evening(alice, bob, carol, home.id, home.general.id);
    await stored(house());
    await ear.settle();
    const passedOver = follow(ear.frames, seqs);
    expect([...passedOver].sort()).toEqual([
      "BLOCKS_UPDATE",
      "ME_UPDATE",
      "NOTIFICATION_SETTINGS_UPDATE",
      "READ_STATE_UPDATE",
    ]);
    ear.close();
    await ear.closed;

    const before = new Map(seqs);
    await evening(alice, bob, carol, home.id, home.general.id);
    await stored(house());
    const again = await bob.listen({ epoch: ready.epoch, streams: Object.fromEntries(before) });
    await again.settle();
    const resumed = again.frames.findIndex(({ type }) => type === "RESUMED");
    expect(resumed).toBeGreaterThan(0);
    const replayed = again.frames.slice(0, resumed);
    expect(Number(again.frames[resumed]?.data.replayed)).toBe(replayed.length);
    expect(follow(replayed, new Map(before))).toEqual(new Set());
    expect(replayed.every(({ seq }) => seq !== undefined)).toBe(true);
  });
});

async function evening(
  alice: TestPerson,
  bob: TestPerson,
  carol: TestPerson,
  serverId: string,
  channelId: string,
): Promise<void> {
  const picture = await upload(alice, "moon.png", png);
  const said = await alice.say(channelId, `<@${bob.id}>, look`, { attachments: [picture.url] });
  for (const field of ["url", "name", "size", "content_type"])
    expect(said.attachments[0]).toHaveProperty(field);
  await carol.patch(`/messages/${(await carol.say(channelId, "one")).id}`, { content: "two" });
  await bob.put(`/channels/${channelId}/read`, { message_id: said.id });
  await bob.post(`/messages/${said.id}/reactions`, { emoji: "🌙" });
  await carol.post(`/channels/${channelId}/typing`);
  const den = (await alice.post("/channels", { server_id: serverId, name: "den" })).body;
  await alice.patch(`/channels/${den.id}`, { name: "attic" });
  await alice.say(String(den.id), "@everyone");
  await bob.post(`/servers/${serverId}/read`);
  await alice.delete(`/channels/${den.id}`);
  await bob.put(`/servers/${serverId}/notification-settings`, { level: "all" });
  await bob.put(`/channels/${channelId}/notification-settings`, { level: "none" });
  await bob.put(`/servers/${serverId}/notification-settings`, {});
  await bob.put(`/channels/${channelId}/notification-settings`, {});
  await bob.put(`/blocks/${carol.id}`);
  await bob.delete(`/blocks/${carol.id}`);
  await bob.patch("/auth/me", { bio: `At ${Math.random()}` });
  await alice.giveRole(serverId, carol, 0);
  const back = await carol.say(channelId, "bye");
  await alice.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids: [back.id] });
}
