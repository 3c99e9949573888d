// Connected people by server, so that the few connected members are found without reading all members.

import type { BusItem } from "../../server/bus/bus.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { idOf } from "../../server/place.ts";
import { isConnected, shownPresence } from "../accounts/access.ts";
import type { MemberKey } from "../members/access.ts";

interface ConnectedPeople {
  /** By server: the connected members, and people who left it while connected. */
  byServer: Map<string, Set<string>>;
  /** By person: the servers that they left while connected. */
  left: Map<string, Set<string>>;
}

const connectedPeople = perHouse<ConnectedPeople>("truth", () => ({ byServer: new Map(), left: new Map() }));

export function noteConnected(house: House, userId: string, serverIds: readonly string[]): void {
  const { byServer } = connectedPeople(house);
  for (const serverId of serverIds) {
    const known = byServer.get(serverId);
    if (known) known.add(userId);
    else byServer.set(serverId, new Set([userId]));
  }
}

/** The person has disconnected; `serverIds` are the servers they are in now. */
export function noteDisconnected(house: House, userId: string, serverIds: readonly string[]): void {
  const { byServer, left } = connectedPeople(house);
  for (const serverId of [...serverIds, ...(left.get(userId) ?? [])]) {
    const known = byServer.get(serverId);
    known?.delete(userId);
    if (known?.size === 0) byServer.delete(serverId);
  }
  left.delete(userId);
}

/**
 * A connected person who joins a server is added to it. One who leaves stays in it and is noted, because two events of
 * one server may be heard in either order. Readers of these lists keep only members.
 */
export function noteMembers(house: House, items: readonly BusItem[]): void {
  for (const item of items) {
    if (item.kind !== "logged" || item.touches.length === 0) continue;
    const serverId = idOf(item.stream);
    if (item.ends === "*") connectedPeople(house).byServer.delete(serverId);
    else
      for (const name of item.touches) if (isConnected(house, name)) note(house, serverId, name, item.ends);
  }
}

function note(house: House, serverId: string, userId: string, ends: string | null): void {
  const { left } = connectedPeople(house);
  if (ends === userId) left.set(userId, (left.get(userId) ?? new Set()).add(serverId));
  else noteConnected(house, userId, [serverId]);
}

/** The likely members of these servers who are connected and visible; of each server as long as `wants` says so. */
export function* shownIn(
  house: House,
  serverIds: readonly string[],
  wants: (serverId: string) => boolean,
): Generator<MemberKey> {
  for (const server_id of serverIds) {
    for (const user_id of connectedPeople(house).byServer.get(server_id) ?? []) {
      if (!wants(server_id)) break;
      if (shownPresence(house, user_id) !== "offline") yield { server_id, user_id };
    }
  }
}
