// The page of a channel's permissions: settings from overrides and back, and their consequences.
import { describe, expect, test } from "bun:test";
import type { Override } from "../../../../protocol/overrides.ts";
import { permission } from "../../../../protocol/permissions.ts";
import { idOf, role } from "../../../../tests/client/scene.ts";
import { roleHolder } from "../../../roles/state.ts";
import {
  changedOverrides,
  keyOf,
  locksOut,
  neutralOf,
  overridesWith,
  rightsIn,
  settingsOf,
} from "./targets.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS } = permission;

const everyone = role("everyone", "den", { permissions: VIEW_CHANNEL, position: 0, is_default: true });
const scouts = role("scouts", "den", { permissions: MANAGE_CHANNELS });
const server = { owner_id: idOf("alice"), roles: [scouts, everyone] };
const scout = roleHolder(idOf("bob"), server, [scouts.id]);
const ofEveryone = { id: everyone.id, kind: "role" } as const;
const ofScouts = { id: scouts.id, kind: "role" } as const;
const silent: Override = { ...ofEveryone, allow: 0, deny: SEND_MESSAGES };

test("a text channel has four permissions, a voice room three more", () => {
  expect([rightsIn({ type: "text" }).length, rightsIn({ type: "voice" }).length]).toEqual([4, 7]);
});

test("settings become overrides, and overrides settings", () => {
  const settings = settingsOf([ofEveryone, ofScouts], [silent]);
  expect(settings[keyOf(everyone.id, "SEND_MESSAGES")]).toBe("deny");
  expect(settings[keyOf(scouts.id, "SEND_MESSAGES")]).toBe("neutral");
  const changes = {
    [keyOf(everyone.id, "SEND_MESSAGES")]: "neutral",
    [keyOf(scouts.id, "VIEW_CHANNEL")]: "allow",
  } as const;
  expect(overridesWith([ofEveryone, ofScouts], [silent], changes)).toEqual([
    { ...ofEveryone, allow: 0, deny: 0 },
    { ...ofScouts, allow: VIEW_CHANNEL, deny: 0 },
  ]);
});

test("what only allows is sent before what takes away, and what stays the same is not sent", () => {
  const closed = { ...ofEveryone, allow: 0, deny: SEND_MESSAGES | VIEW_CHANNEL };
  const open = { ...ofScouts, allow: VIEW_CHANNEL, deny: 0 };
  expect(changedOverrides([silent], [closed, open])).toEqual([open, closed]);
  expect(changedOverrides([silent], [silent])).toEqual([]);
});

test("a change that keeps its maker out is seen before", () => {
  const closed = { ...ofEveryone, allow: 0, deny: VIEW_CHANNEL };
  expect(locksOut(scout, [closed])).toBe(true);
  expect(locksOut(scout, [closed, { ...ofScouts, allow: VIEW_CHANNEL, deny: 0 }])).toBe(false);
  expect(locksOut(roleHolder(idOf("alice"), server, []), [closed])).toBe(false);
});

describe("what holds while a setting is neutral", () => {
  const own = { ...ofScouts, allow: SEND_MESSAGES, deny: VIEW_CHANNEL };
  for (const [right, isHeld, by] of [
    ["VIEW_CHANNEL", true, everyone.id],
    ["SEND_MESSAGES", false, everyone.id],
    ["MANAGE_CHANNELS", true, scouts.id],
    ["MANAGE_MESSAGES", false, undefined],
  ] as const)
    test(right, () => {
      const neutral = neutralOf(scout, [silent, own], ofScouts, right);
      expect([neutral.isHeld, neutral.by?.id ?? undefined]).toEqual([isHeld, by]);
    });
});
