// Members for every view: one who is wanted is asked for when they are first drawn, together with others.
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useChat, useHouse, useOfServer } from "../../../web/ui/session/house.tsx";
import type { Role } from "../../roles/contract.ts";
import { plainColor } from "../../roles/state.ts";
import type { Member } from "../contract.ts";

/** Undefined until they are known; null: no member. No id, no member is asked for. */
export function useMember(serverId: string, userId: string | undefined): Member | null | undefined {
  const { members } = useHouse();
  const generation = useChat((state) => state.generation);
  const member = useSyncExternalStore(
    members.subscribe,
    useCallback(
      () => (userId === undefined ? undefined : members.get(serverId, userId)),
      [members, serverId, userId],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a fresh READY they are asked for again.
  useEffect(() => {
    if (userId !== undefined) members.want(serverId, [userId]);
  }, [members, serverId, userId, generation]);
  return member;
}

/** The colour of the highest role of a member that has one; undefined: ink. */
export function useRoleColour(serverId: string, userId: string | undefined): string | undefined {
  const roles = useOfServer(serverId, (server) => server.roles);
  const member = useMember(serverId, userId);
  return member && roles ? colouredRole(roles, member.role_ids)?.color : undefined;
}

/** The highest of the held roles that has a colour of its own. */
export function colouredRole(roles: readonly Role[], heldIds: readonly string[]): Role | undefined {
  let highest: Role | undefined;
  for (const role of roles) {
    if (role.is_default || role.color === plainColor || !heldIds.includes(role.id)) continue;
    if (!highest || role.position > highest.position) highest = role;
  }
  return highest;
}
