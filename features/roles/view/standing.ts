// The reader's own standing in a server: their permissions, and whom they outrank.
import type { OwnServer } from "../../../client/servers.ts";
import { type PermissionName, permission } from "../../../protocol/permissions.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { Role } from "../contract.ts";
import { ownersRank } from "./order.ts";

export interface OwnStanding {
  isOwner: boolean;
  /** The highest position that the reader holds; the owner is above all. */
  rank: number;
  bits: number;
  may(right: PermissionName): boolean;
  /** True if somebody ranks below the reader: nobody outranks the owner, or themselves. */
  outranks(userId: string, roleIds: readonly string[]): boolean;
}

export function useStanding(server: OwnServer): OwnStanding {
  return standingIn(
    server,
    useCopy((copy) => copy.user.id),
  );
}

export function standingIn(server: OwnServer, ownId: string): OwnStanding {
  const isOwner = server.owner_id === ownId;
  const { permissions: bits } = server;
  const rank = isOwner ? ownersRank : rankOf(server.roles, server.role_ids);
  return {
    isOwner,
    rank,
    bits,
    may: (right) => (bits & permission[right]) !== 0,
    outranks: (userId, roleIds) =>
      userId !== server.owner_id && userId !== ownId && rank > rankOf(server.roles, roleIds),
  };
}

function rankOf(roles: readonly Role[], heldIds: readonly string[]): number {
  const held = roles.filter(({ id, is_default }) => !is_default && heldIds.includes(id));
  return Math.max(0, ...held.map(({ position }) => position));
}
