// The reader's own permissions in each channel of a copy, worked out from their roles and the channel's overrides.
import { expect, test } from "bun:test";
import { type Copy, copyAfter, copyFrom } from "../../client/copy.ts";
import { channelIn } from "../../client/servers.ts";
import type { Override } from "../../protocol/overrides.ts";
import { overridableBits } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";
import { channel, idOf, long, role, scene, server } from "./scene.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES } = permission;
const both = VIEW_CHANNEL | SEND_MESSAGES;

const everyone = role("everyone of den", "den", { permissions: both, position: 0, is_default: true });
const scouts = role("scouts", "den", { permissions: 0 });
const closed: Override = { id: everyone.id, kind: "role", allow: 0, deny: VIEW_CHANNEL };
const toScouts: Override = { id: scouts.id, kind: "role", allow: VIEW_CHANNEL, deny: 0 };

/** Bob's copy of a server with an open channel and one that only scouts see. */
function den(owner: string, ...held: string[]): Copy {
  const channels = [channel("hall", "den"), channel("camp", "den", { overrides: [closed, toScouts] })];
  const entry = server("den", owner, { channels, roles: [scouts, everyone], role_ids: held.map(idOf) });
  return copyFrom({
    user: scene().user,
    session_id: "",
    epoch: "",
    heartbeat_interval_ms: 1,
    servers: [entry],
  });
}

function after(copy: Copy, type: string, data: unknown): Copy {
  return copyAfter(copy, { type, data, server_id: idOf("den"), ts: long });
}

function bitsIn(copy: Copy, name: string): number | undefined {
  return channelIn(copy, idOf(name))?.permissions;
}

test("READY: what the roles give, then what the overrides change; the owner has every bit", () => {
  expect([bitsIn(den("alice"), "hall"), bitsIn(den("alice"), "camp")]).toEqual([both, 0]);
  expect(bitsIn(den("alice", "scouts"), "camp")).toBe(both);
  expect(bitsIn(den("bob"), "camp")).toBe(overridableBits);
});

test("a channel is private that @everyone is denied, for whoever reads it", () => {
  for (const copy of [den("alice", "scouts"), den("bob")]) {
    expect([channelIn(copy, idOf("hall")), channelIn(copy, idOf("camp"))]).toMatchObject([
      { isPrivate: false },
      { isPrivate: true },
    ]);
  }
});

test("CHANNEL_CREATE and CHANNEL_UPDATE bring overrides, and no permissions", () => {
  const own: Override = { id: idOf("bob"), kind: "member", allow: MANAGE_MESSAGES, deny: SEND_MESSAGES };
  const made = after(den("alice"), "CHANNEL_CREATE", channel("cave", "den", { overrides: [own] }));
  expect(bitsIn(made, "cave")).toBe(VIEW_CHANNEL | MANAGE_MESSAGES);
  const changed = after(made, "CHANNEL_UPDATE", channel("cave", "den", { topic: "Dark" }));
  expect(bitsIn(changed, "cave")).toBe(both);
});

test("CHANNEL_OVERRIDES_UPDATE changes its channel alone", () => {
  const before = den("alice", "scouts");
  const data = { channel_id: idOf("camp"), overrides: [{ ...toScouts, allow: both | MANAGE_MESSAGES }] };
  const now = after(before, "CHANNEL_OVERRIDES_UPDATE", data);
  expect(channelIn(now, idOf("camp"))).toMatchObject({
    permissions: both | MANAGE_MESSAGES,
    isPrivate: false,
    overrides: data.overrides,
  });
  expect(channelIn(now, idOf("hall"))).toBe(channelIn(before, idOf("hall")) as never);
});

test("roles and the owner decide anew; channels that this changes nothing for stay the same objects", () => {
  const before = den("alice");
  const scout = after(before, "SERVER_MEMBER_UPDATE", { user_id: idOf("bob"), role_ids: [scouts.id] });
  expect(bitsIn(scout, "camp")).toBe(both);
  expect(channelIn(scout, idOf("hall"))).toBe(channelIn(before, idOf("hall")) as never);

  const wider = after(scout, "ROLE_UPDATE", { ...scouts, permissions: MANAGE_MESSAGES });
  expect(bitsIn(wider, "hall")).toBe(both | MANAGE_MESSAGES);
  expect(bitsIn(after(wider, "ROLE_DELETE", { id: scouts.id }), "camp")).toBe(0);

  const { id, name, icon, member_count, created_at } = server("den", "bob");
  const told = { id, name, icon, member_count, created_at, owner_id: idOf("bob") };
  expect(bitsIn(after(before, "SERVER_UPDATE", told), "camp")).toBe(overridableBits);
});
