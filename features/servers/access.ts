// Finds a server for the person who asks: to non-members a server looks as if it did not exist.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import { ownPicture } from "../../protocol/own-picture.ts";
import { holds, type PermissionName, permission, type Standing } from "../../protocol/permissions.ts";
import type { House } from "../../server/house/house.ts";
import { question } from "../../server/house/question.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverPlace } from "../../server/place.ts";
import { avatarReleased } from "../accounts/access.ts";
import { ownAvatarUrl } from "../accounts/avatars.ts";
import { type Server, type SharedServer, serverUpdated } from "./contract.ts";
import {
  addToMemberCount,
  type ServersTable,
  selectServer,
  selectServerForUpdate,
  selectServers,
  updateServer,
} from "./store.ts";

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
  if (!standing.isOwner) throw ownerOnly();
}

function ownerOnly(): Refusal {
  return new Refusal("owner_only", "Only the owner of the server can do this.");
}

export async function existingServer(unit: UnitOfWork, id: string): Promise<ServersTable> {
  const row = await selectServer(unit.db, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Locks a server for its owner: nobody else changes it until the commit. Throws 403 for everybody else, also once it was
 * handed over while this waited.
 */
export async function lockOwnServer(unit: UnitOfWork, userId: string, id: string) {
  const standing = await findMembership(unit, userId, id);
  needOwner(standing);
  const row = unit.locksRows ? await selectServerForUpdate(unit.db, id) : await selectServer(unit.db, id);
  if (!row) throw notFound();
  if (row.owner_id !== userId) throw ownerOnly();
  return { standing, row };
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

/** Returns the address of a server's picture: its own one, else that which its owner named. */
export function iconOf(house: House, row: Pick<ServersTable, "icon" | "own_icon">): string | null {
  return row.own_icon === null ? row.icon : ownAvatarUrl(house, row.own_icon);
}

/**
 * True if the server has this picture: a client may send the whole server back as it read it, with the address of an own
 * picture, and of an earlier PUBLIC_URL.
 */
export function isIconOf({ icon, own_icon }: ServersTable, address: string | null): boolean {
  return own_icon === null ? icon === address : ownPicture.exec(address ?? "")?.[1] === own_icon;
}

/**
 * Changes the name and the picture of a server, and emits that, unless nothing differs. A picture that is not the
 * server's own any more is released. `before`: the server's row, which the caller has locked. Returns the row after the
 * change.
 */
export async function changeServer(
  unit: UnitOfWork,
  before: ServersTable,
  changes: Partial<Pick<ServersTable, "name" | "icon" | "own_icon">>,
): Promise<ServersTable> {
  const after = { ...before, ...changes };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  await updateServer(unit.db, before.id, changes);
  if (before.own_icon !== null && before.own_icon !== after.own_icon)
    await unit.ask(avatarReleased, before.own_icon);
  unit.emit(serverUpdated, serverPlace(before.id), toSharedServer(unit.house, after));
  return after;
}

export function toSharedServer(house: House, row: ServersTable): SharedServer {
  return {
    id: row.id,
    name: row.name,
    icon: iconOf(house, row),
    owner_id: row.owner_id,
    member_count: row.member_count,
    created_at: timeText(row.created_at),
  };
}

export function toServer(house: House, row: ServersTable, standing: Standing): Server {
  return { ...toSharedServer(house, row), permissions: standing.bits };
}
