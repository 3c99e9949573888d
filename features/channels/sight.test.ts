// Channel classes decide who sees a channel. The classes are made up: no channel can have overrides yet.
import { expect, test } from "bun:test";
import { permission, type Standing } from "../../protocol/permissions.ts";
import { ChannelClasses } from "./sight.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS, KICK_MEMBERS } = permission;

function standing(permissions: number, isOwner = false): Standing {
  const everyone = { id: "everyone", permissions, position: 0, isDefault: true };
  const bits = isOwner || permissions & VIEW_CHANNEL ? permissions : permissions & KICK_MEMBERS;
  return { home: "server:home", userId: "ada", isOwner, roleIds: [], roles: [everyone], bits, rank: 0 };
}

const open = { audience: "viewers", overrides: [] };
const hidden = {
  audience: "hidden",
  overrides: [{ id: "everyone", kind: "role" as const, allow: 0, deny: VIEW_CHANNEL }],
};
const hers = {
  audience: "hers",
  overrides: [
    { id: "ada", kind: "member" as const, allow: VIEW_CHANNEL | MANAGE_CHANNELS, deny: SEND_MESSAGES },
  ],
};
const classes = new ChannelClasses([open, hidden, hers]);

test("a member sees the classes that leave them VIEW_CHANNEL, whatever they hold in the server", () => {
  expect([...classes.seenBy(standing(VIEW_CHANNEL))]).toEqual(["viewers", "hers"]);
  expect([...classes.seenBy(standing(SEND_MESSAGES))]).toEqual(["hers"]);
  expect([...classes.seenBy(standing(VIEW_CHANNEL, true))]).toEqual(["viewers", "hidden", "hers"]);
  expect(new ChannelClasses([open]).seenBy(standing(0)).size).toBe(0);
});

test("who sees all of them, and who sees none, share one set", () => {
  const two = new ChannelClasses([open, hers]);
  expect(two.seenBy(standing(VIEW_CHANNEL))).toBe(two.seenBy(standing(VIEW_CHANNEL)));
  const one = new ChannelClasses([open]);
  expect(one.seenBy(standing(0))).toBe(one.seenBy(standing(SEND_MESSAGES)));
});

test("the bits in a channel are those after its overrides; the others stay as they are in the server", () => {
  const member = standing(VIEW_CHANNEL | SEND_MESSAGES | KICK_MEMBERS);
  expect(classes.standingIn(member, "viewers")).toBe(member);
  expect(classes.standingIn(member, "hidden")).toBeUndefined();
  expect(classes.standingIn(member, "hers")).toEqual({
    ...member,
    bits: VIEW_CHANNEL | MANAGE_CHANNELS | KICK_MEMBERS,
  });
});

test("nobody sees a channel whose class is not known, not even the owner", () => {
  expect(classes.standingIn(standing(VIEW_CHANNEL, true), "unknown")).toBeUndefined();
});
