// The people who would see a private channel, and how its maker is let in.
import { expect, test } from "bun:test";
import { permission } from "../../../protocol/permissions.ts";
import { member, role } from "../../../tests/client/scene.ts";
import { roleHolder } from "../../roles/state.ts";
import { countSeers, privateOverrides } from "./seers.ts";

const { VIEW_CHANNEL, ADMINISTRATOR } = permission;

const everyone = role("everyone", "den", { permissions: VIEW_CHANNEL, position: 0, is_default: true });
const scouts = role("scouts", "den", { permissions: 0 });
const wardens = role("wardens", "den", { permissions: ADMINISTRATOR, position: 2 });
const [alice, bob, carol, warden, robot] = [
  member("alice"),
  member("bob", ["scouts"]),
  member("carol"),
  member("warden", ["wardens"]),
  member("robot", ["scouts"], { bot: true }),
];
const server = { owner_id: alice.user.id, roles: [wardens, scouts, everyone] };
const all = [alice, bob, carol, warden, robot];
const nobody = { roleIds: [], memberIds: [] };

test("the maker is let in as a member when nothing else does", () => {
  const maker = roleHolder(bob.user.id, server, bob.role_ids);
  const alone = privateOverrides(maker, everyone.id, nobody);
  expect(alone).toEqual([
    { id: everyone.id, kind: "role", allow: 0, deny: VIEW_CHANNEL },
    { id: bob.user.id, kind: "member", allow: VIEW_CHANNEL, deny: 0 },
  ]);
  const byRole = privateOverrides(maker, everyone.id, { roleIds: [scouts.id], memberIds: [] });
  expect(byRole.map(({ id }) => id)).toEqual([everyone.id, scouts.id]);
  const owner = roleHolder(alice.user.id, server, []);
  expect(privateOverrides(owner, everyone.id, nobody)).toHaveLength(1);
});

test("the owner, administrators, holders of chosen roles and chosen members are counted, bots are not", () => {
  const owner = roleHolder(alice.user.id, server, []);
  const count = (roleIds: string[], memberIds: string[]) =>
    countSeers(server, all, privateOverrides(owner, everyone.id, { roleIds, memberIds }));
  expect([count([], []), count([scouts.id], []), count([scouts.id], [carol.user.id])]).toEqual([2, 3, 4]);
});
