// Channel classes decide who sees a channel, and with which permissions.
import { expect, test } from "bun:test";
import type { Override } from "../../protocol/overrides.ts";
import { permission, type Standing } from "../../protocol/permissions.ts";
import { ChannelClasses, standingWith } from "./sight.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS, KICK_MEMBERS } = permission;

function standing(permissions: number, isOwner = false): Standing {
  const everyone = { id: "everyone", permissions, position: 0, isDefault: true };
  const bits = isOwner || permissions & VIEW_CHANNEL ? permissions : permissions & KICK_MEMBERS;
  return { home: "server:home", userId: "ada", isOwner, roleIds: [], roles: [everyone], bits, rank: 0 };
}

const open = ["viewers", []] as const;
const hidden = ["hidden", [{ id: "everyone", kind: "role", allow: 0, deny: VIEW_CHANNEL }]] as const;
const hers = [
  "hers",
  [{ id: "ada", kind: "member", allow: VIEW_CHANNEL | MANAGE_CHANNELS, deny: SEND_MESSAGES }],
] as const;
const classesOf = (...list: (readonly [string, readonly Override[]])[]) => new ChannelClasses(new Map(list));
const classes = classesOf(open, hidden, hers);

test("a member sees the classes that leave them VIEW_CHANNEL, whatever they hold in the server", () => {
  const manages = VIEW_CHANNEL | MANAGE_CHANNELS;
  expect([...classes.seenBy(standing(VIEW_CHANNEL))]).toEqual([
    ["viewers", VIEW_CHANNEL],
    ["hers", manages],
  ]);
  expect([...classes.seenBy(standing(SEND_MESSAGES))]).toEqual([["hers", manages]]);
  expect([...classes.seenBy(standing(VIEW_CHANNEL, true)).keys()]).toEqual(["viewers", "hidden", "hers"]);
  expect(classesOf(open).seenBy(standing(0)).size).toBe(0);
});

test("members with the same roles share what they see; roles that changed do not, nor who has an own override", () => {
  const of = (userId: string, permissions: number) => ({ ...standing(permissions), userId });
  const two = classesOf(open, hidden, hers);
  expect(two.seenBy(of("ben", VIEW_CHANNEL))).toBe(two.seenBy(of("cleo", VIEW_CHANNEL)));
  expect(two.seenBy(of("ben", VIEW_CHANNEL | SEND_MESSAGES)).get("viewers")).toBe(
    VIEW_CHANNEL | SEND_MESSAGES,
  );
  expect(two.seenBy(of("ben", VIEW_CHANNEL)).get("hers")).toBe(VIEW_CHANNEL);
  expect(two.seenBy(of("ada", VIEW_CHANNEL)).get("hers")).toBe(VIEW_CHANNEL | MANAGE_CHANNELS);
  const one = classesOf(open);
  expect(one.seenBy(of("ben", 0))).toBe(one.seenBy(of("cleo", SEND_MESSAGES)));
});

test("the bits in a channel are those after its overrides; the others stay as they are in the server", () => {
  const member = standing(VIEW_CHANNEL | SEND_MESSAGES | KICK_MEMBERS);
  expect(standingWith(member, open[1])).toBe(member);
  expect(standingWith(member, hidden[1])).toBeUndefined();
  expect(standingWith(member, hers[1])).toEqual({
    ...member,
    bits: VIEW_CHANNEL | MANAGE_CHANNELS | KICK_MEMBERS,
  });
});
