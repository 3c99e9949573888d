// Which servers those who are here are in: asked for the few members of a server who are here, never for all people.

import type { BusItem } from "../../server/bus/bus.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { idOf } from "../../server/place.ts";
import { isHere, shownPresence } from "../accounts/access.ts";
import type { MemberKey } from "../members/access.ts";

interface Here {
  /** By server: all members who are here, and some who left it while they were. */
  byServer: Map<string, Set<string>>;
  /** By person: the servers that they left while they were here. */
  left: Map<string, Set<string>>;
}

const here = perHouse<Here>(() => ({ byServer: new Map(), left: new Map() }));

export function noteHere(house: House, userId: string, serverIds: readonly string[]): void {
  const { byServer } = here(house);
  for (const serverId of serverIds) {
    const known = byServer.get(serverId);
    if (known) known.add(userId);
    else byServer.set(serverId, new Set([userId]));
  }
}

/** They went; `serverIds` are those that they are in now. */
export function noteGone(house: House, userId: string, serverIds: readonly string[]): void {
  const { byServer, left } = here(house);
  for (const serverId of [...serverIds, ...(left.get(userId) ?? [])]) {
    const known = byServer.get(serverId);
    known?.delete(userId);
    if (known?.size === 0) byServer.delete(serverId);
  }
  left.delete(userId);
}

/**
 * Who comes into a server while they are here belongs to it; who leaves it is kept in mind, as two events of one server
 * may be heard of in either order. Those who ask look for members only.
 */
export function noteMembers(house: House, items: readonly BusItem[]): void {
  for (const item of items) {
    if (item.kind !== "logged" || item.touches.length === 0) continue;
    const serverId = idOf(item.stream);
    if (item.ends === "*") here(house).byServer.delete(serverId);
    else for (const name of item.touches) if (isHere(house, name)) note(house, serverId, name, item.ends);
  }
}

function note(house: House, serverId: string, userId: string, ends: string | null): void {
  const { left } = here(house);
  if (ends === userId) left.set(userId, (left.get(userId) ?? new Set()).add(serverId));
  else noteHere(house, userId, [serverId]);
}

/** Who may be members of these servers and do not hide, of each server as long as `wants` says so. */
export function* shownIn(
  house: House,
  serverIds: readonly string[],
  wants: (serverId: string) => boolean,
): Generator<MemberKey> {
  for (const server_id of serverIds) {
    for (const user_id of here(house).byServer.get(server_id) ?? []) {
      if (!wants(server_id)) break;
      if (shownPresence(house, user_id) !== "offline") yield { server_id, user_id };
    }
  }
}
