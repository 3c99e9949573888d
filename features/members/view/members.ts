// Members for every view: a member is fetched when first rendered, together with others.
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useChat, useHouse, useOfServer } from "../../../web/ui/session/house.tsx";
import type { User } from "../../accounts/contract.ts";
import type { Role } from "../../roles/contract.ts";
import { plainColor } from "../../roles/state.ts";
import type { Member } from "../contract.ts";

/** Returns a member; undefined until known, null if there is no such member. Without an id none is fetched. */
export function useMember(serverId: string | null, userId: string | undefined): Member | null | undefined {
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

/** Returns a person of a channel or conversation; undefined until known. */
export function usePersonIn(
  place: { server_id: string | null; recipients?: readonly User[] },
  userId: string | undefined,
): User | undefined {
  const member = useMember(place.server_id, userId);
  return place.recipients?.find(({ id }) => id === userId) ?? member?.user;
}

/** Returns the colour of the member's highest coloured role; undefined: the default ink. */
export function useRoleColour(serverId: string | null, userId: string | undefined): string | undefined {
  const roles = useOfServer(serverId, (server) => server.roles);
  const member = useMember(serverId, userId);
  return member && roles ? colouredRole(roles, member.role_ids)?.color : undefined;
}

/** Returns the highest of the held roles that has a colour of its own. */
export function colouredRole(roles: readonly Role[], heldIds: readonly string[]): Role | undefined {
  let highest: Role | undefined;
  for (const role of roles) {
    if (role.is_default || role.color === plainColor || !heldIds.includes(role.id)) continue;
    if (!highest || role.position > highest.position) highest = role;
  }
  return highest;
}
