// Finds a server for the person who asks: to non-members a server looks as if it did not exist.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import { holds, type PermissionName, permission, type Standing } from "../../protocol/permissions.ts";
import { question } from "../../server/house/question.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Server, SharedServer } from "./contract.ts";
import { addToMemberCount, type ServersTable, selectServer, selectServers } from "./store.ts";

export { selectServer, selectServersAfter, serverExists } from "./store.ts";

/** Asked in the transaction that creates a server: each later feature adds its initial rows. */
export const furnishServer = question<[serverId: string, ownerId: string], void>("servers.furnishServer");

/** Returns the caller's standing in the server; throws 404 for non-members. */
export async function findMembership(unit: UnitOfWork, userId: string, serverId: string): Promise<Standing> {
  const standing = await standingOf(unit, serverId, userId);
  if (!standing) throw notFound();
  return standing;
}

/** Throws 403, naming the missing permission, unless the member holds it. */
export function need(standing: Standing, right: PermissionName): void {
  if (holds(standing, permission[right])) return;
  const { code, sentence } = standing.silence ?? lacking(right);
  throw new Refusal(code, sentence);
}

function lacking(right: PermissionName) {
  return { code: "forbidden", sentence: `This needs the permission ${right}.` } as const;
}

export function needOwner(standing: Standing): void {
  if (!standing.isOwner) throw new Refusal("owner_only", "Only the owner of the server can do this.");
}

export async function existingServer(unit: UnitOfWork, id: string): Promise<ServersTable> {
  const row = await selectServer(unit.db, id);
  if (!row) throw notFound();
  return row;
}

/** Returns servers by id; missing ones are left out. */
export function serversById(
  unit: UnitOfWork,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ServersTable>> {
  return unit.rememberEach(ids, "server", async (ids) => {
    const rows = await selectServers(unit.db, ids);
    return new Map(rows.map((row) => [row.id, row]));
  });
}

/** Counts a new member; the caller emits the event. */
export function memberCame(unit: UnitOfWork, serverId: string): Promise<void> {
  return addToMemberCount(unit.db, serverId, 1);
}

export function memberWent(unit: UnitOfWork, serverId: string): Promise<void> {
  return addToMemberCount(unit.db, serverId, -1);
}

export function toSharedServer(row: ServersTable): SharedServer {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    owner_id: row.owner_id,
    member_count: row.member_count,
    created_at: timeText(row.created_at),
  };
}

export function toServer(row: ServersTable, standing: Standing): Server {
  return { ...toSharedServer(row), permissions: standing.bits };
}
