// The bits of a member in a channel, step by step: each rule by an example, and any rights against a second reckoning.
import { expect, test } from "bun:test";
import { type Override, overridableBits, type RoleHolder, resolve } from "./overrides.ts";
import { allPermissions, effectivePermissions, permission } from "./permissions.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES, KICK_MEMBERS, ADMINISTRATOR } = permission;
const everyone = { id: "everyone", permissions: VIEW_CHANNEL | SEND_MESSAGES, isDefault: true };
const [high, low] = [
  { id: "high", permissions: MANAGE_MESSAGES | KICK_MEMBERS, isDefault: false },
  { id: "low", permissions: 0, isDefault: false },
];
const member: RoleHolder = { userId: "ada", isOwner: false, roles: [high, low, everyone] };

const ofRole = (id: string, allow: number, deny: number): Override => ({ id, kind: "role", allow, deny });
const ofAda = (allow: number, deny: number): Override => ({ id: "ada", kind: "member", allow, deny });
const told = (holder: RoleHolder, overrides: Override[]) =>
  resolve(holder, overrides).map(({ source, id, result }) => [source, id, result]);

test("overrides change seven bits, all of which belong to channels", () => {
  expect(overridableBits).toBe(1863);
});

test("roles add up, the lowest first; bits that are no channel's are left out", () => {
  const seen = VIEW_CHANNEL | SEND_MESSAGES;
  expect(told(member, [])).toEqual([
    ["role", "everyone", seen],
    ["role", "low", seen],
    ["role", "high", seen | MANAGE_MESSAGES],
  ]);
  expect(resolve(member, []).at(-1)).toMatchObject({ allow: MANAGE_MESSAGES, deny: 0 });
});

test("@everyone's override comes first, then those of roles together, then the member's own", () => {
  const overrides = [
    ofAda(SEND_MESSAGES, MANAGE_MESSAGES),
    ofRole("high", 0, VIEW_CHANNEL | SEND_MESSAGES),
    ofRole("low", VIEW_CHANNEL, 0),
    ofRole("everyone", 0, VIEW_CHANNEL),
    ofRole("not theirs", 0, overridableBits),
    { ...ofAda(0, overridableBits), id: "ben" },
  ];
  expect(told(member, overrides).slice(3)).toEqual([
    ["everyone_override", "everyone", SEND_MESSAGES | MANAGE_MESSAGES],
    ["role_override", "low", VIEW_CHANNEL | SEND_MESSAGES | MANAGE_MESSAGES],
    // Its denial of VIEW_CHANNEL loses against what the other role's allows.
    ["role_override", "high", VIEW_CHANNEL | MANAGE_MESSAGES],
    ["member_override", "ada", VIEW_CHANNEL | SEND_MESSAGES],
  ]);
});

test("a role of a member's id, and a member of a role's, have no say", () => {
  const overrides: Override[] = [
    { ...ofRole("ada", 0, VIEW_CHANNEL) },
    { ...ofAda(0, VIEW_CHANNEL), id: "low" },
  ];
  expect(told(member, overrides)).toEqual(told(member, []));
});

test("without VIEW_CHANNEL nothing is left; an override can give it to who lacks it in the server", () => {
  expect(told(member, [ofAda(0, VIEW_CHANNEL)]).slice(-1)).toEqual([["no_view", null, 0]]);
  const blind: RoleHolder = { ...member, roles: [{ ...everyone, permissions: SEND_MESSAGES }] };
  expect(told(blind, [])).toEqual([
    ["role", "everyone", SEND_MESSAGES],
    ["no_view", null, 0],
  ]);
  expect(told(blind, [ofAda(VIEW_CHANNEL, 0)]).at(-1)).toEqual([
    "member_override",
    "ada",
    VIEW_CHANNEL | SEND_MESSAGES,
  ]);
});

test("the owner and ADMINISTRATOR hold everything, whatever is denied to them", () => {
  const denied = [ofAda(0, overridableBits), ofRole("high", 0, overridableBits)];
  expect(told({ ...member, isOwner: true }, denied)).toEqual([["owner", "ada", overridableBits]]);
  const roles = [{ ...high, permissions: ADMINISTRATOR }, everyone];
  expect(told({ ...member, roles }, denied)).toEqual([["administrator", "high", overridableBits]]);
});

test("any rights lead to the bits that a second reckoning finds", () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let i = 0; i < 3000; i++) {
    const roles = Array.from({ length: random(4) }, (_, i) => ({
      ...{ id: `role ${i}`, permissions: random(allPermissions + 1), isDefault: false },
    }));
    const holder = {
      ...{ userId: "ada", isOwner: random(12) === 0 },
      roles: [...roles, { ...everyone, permissions: random(128) }],
    };
    const ids = ["everyone", "ada", "ben", "role 0", "role 1", "role 2", "role 3"];
    const overrides = ids
      .filter(() => random(2) === 0)
      .map((id): Override => {
        const [allow, others] = [random(2048) & overridableBits, random(2048) & overridableBits];
        return { id, kind: id.length === 3 ? "member" : "role", allow, deny: others & ~allow };
      });
    const steps = resolve(holder, overrides);
    expect(steps.at(-1)?.result).toBe(reckoned(holder, overrides));
    const inServer = effectivePermissions(
      holder.isOwner,
      holder.roles.map(({ permissions }) => permissions),
    );
    expect(resolve(holder, []).at(-1)?.result).toBe(inServer & overridableBits);
  }
});

/** Bit by bit: the last one who has a say about it decides. */
function reckoned({ userId, isOwner, roles }: RoleHolder, overrides: Override[]): number {
  const holdsAll = isOwner || roles.some(({ permissions }) => permissions & ADMINISTRATOR);
  if (holdsAll) return overridableBits;
  const assigned = new Set(roles.filter(({ isDefault }) => !isDefault).map(({ id }) => id));
  const groups = [
    overrides.filter(({ id }) => id === userId),
    overrides.filter(({ id }) => assigned.has(id)),
    overrides.filter(({ id }) => id === "everyone"),
  ];
  let bits = 0;
  for (let bit = 1; bit < 2048; bit *= 2) {
    if (!(overridableBits & bit)) continue;
    const deciding = groups.find((group) => group.some(({ allow, deny }) => (allow | deny) & bit));
    const isHeld = deciding
      ? deciding.some(({ allow }) => allow & bit)
      : roles.some(({ permissions }) => permissions & bit);
    if (isHeld) bits |= bit;
  }
  return bits & VIEW_CHANNEL ? bits : 0;
}
