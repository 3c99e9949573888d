// The overrides that make a channel private, and the people who would see it.
import { type Override, type RoleHolder, resolve } from "../../../protocol/overrides.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import type { Member } from "../../members/contract.ts";
import type { Role } from "../../roles/contract.ts";
import { roleHolder } from "../../roles/state.ts";

const { VIEW_CHANNEL } = permission;

interface Chosen {
  roleIds: readonly string[];
  memberIds: readonly string[];
}

/**
 * Returns the overrides of a channel that only these roles and members see, and its maker: as a member, unless one of
 * their roles lets them in.
 */
export function privateOverrides(maker: RoleHolder, everyoneId: string, chosen: Chosen): Override[] {
  const allow = (kind: Override["kind"]) => (id: string) => ({ id, kind, allow: VIEW_CHANNEL, deny: 0 });
  const overrides: Override[] = [
    { id: everyoneId, kind: "role", allow: 0, deny: VIEW_CHANNEL },
    ...chosen.roleIds.map(allow("role")),
    ...chosen.memberIds.map(allow("member")),
  ];
  return sees(maker, overrides) ? overrides : [...overrides, allow("member")(maker.userId)];
}

/** Returns the number of people, without bots, who see a channel with these overrides. */
export function countSeers(
  server: { owner_id: string; roles: readonly Role[] },
  members: readonly Member[],
  overrides: readonly Override[],
): number {
  const people = members.filter(({ user }) => !user.bot);
  return people.filter(({ user, role_ids }) => sees(roleHolder(user.id, server, role_ids), overrides)).length;
}

function sees(holder: RoleHolder, overrides: readonly Override[]): boolean {
  return holds({ bits: resolve(holder, overrides).at(-1)?.result ?? 0 }, VIEW_CHANNEL);
}
