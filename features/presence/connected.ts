// Connected people by server, so that the few connected members are found without reading all members.

import type { LoggedEvent } from "../../server/bus/bus.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { idOf, isOfServer } from "../../server/place.ts";
import { isConnected, shownPresence } from "../accounts/access.ts";
import type { MemberKey } from "../members/access.ts";

interface ConnectedPeople {
  /** By server: the connected members, and people who left it while connected. */
  byServer: Map<string, Set<string>>;
  /** By connected person: the servers in `byServer` that list them, to be cleared when they disconnect. */
  serversOf: Map<string, Set<string>>;
  /** By server, the oldest first: when a socket here was last told who is connected, by performance.now(). */
  toldAt: Map<string, number>;
}

const connectedPeople = perHouse<ConnectedPeople>("cache", () => ({
  byServer: new Map(),
  serversOf: new Map(),
  toldAt: new Map(),
}));

export function noteConnected(house: House, userId: string, serverIds: readonly string[]): void {
  const { byServer, serversOf } = connectedPeople(house);
  for (const serverId of serverIds) {
    add(byServer, serverId, userId);
    add(serversOf, userId, serverId);
  }
}

export function noteDisconnected(house: House, userId: string): void {
  const { byServer, serversOf } = connectedPeople(house);
  for (const serverId of serversOf.get(userId) ?? []) remove(byServer, serverId, userId);
  serversOf.delete(userId);
}

function noteDeleted(house: House, serverId: string): void {
  const { byServer, serversOf } = connectedPeople(house);
  for (const userId of byServer.get(serverId) ?? []) remove(serversOf, userId, serverId);
  byServer.delete(serverId);
}

function add(index: Map<string, Set<string>>, key: string, id: string): void {
  const known = index.get(key);
  if (known) known.add(id);
  else index.set(key, new Set([id]));
}

function remove(index: Map<string, Set<string>>, key: string, id: string): void {
  const known = index.get(key);
  known?.delete(id);
  if (known?.size === 0) index.delete(key);
}

/** The number of entries kept, for tests: zero when nobody is connected. */
export function connectedKept(house: House): number {
  const { byServer, serversOf } = connectedPeople(house);
  return byServer.size + serversOf.size;
}

/**
 * Adds a connected person who joins a server. One who leaves stays listed until they disconnect, because two events of
 * one server may arrive in either order. Readers of these lists keep only members.
 */
export function noteMembers(house: House, { stream, touches, ends }: LoggedEvent): void {
  if (touches.length === 0 || !isOfServer(stream)) return;
  const serverId = idOf(stream);
  if (ends === "*") noteDeleted(house, serverId);
  else
    for (const userId of touches)
      if (ends !== userId && house.connections.has(userId)) noteConnected(house, userId, [serverId]);
}

/**
 * Called when another process has committed that this person joined a server, possibly before its event arrives here.
 * Returns whether a socket here was told a moment ago who is connected there, without this person.
 */
export function noteCame(house: House, { server_id, user_id }: MemberKey): boolean {
  if (!house.connections.has(user_id)) return false;
  const isKnown = connectedPeople(house).byServer.get(server_id)?.has(user_id) ?? false;
  noteConnected(house, user_id, [server_id]);
  return wasTold(house, server_id) && (!isKnown || !isConnected(house, user_id));
}

/** Commits of another process arrive within this time, in milliseconds. */
const lateMs = 10_000;
/** Beyond this number of servers, those told longer ago than that are forgotten. */
const toldRemembered = 1000;

function noteTold(house: House, serverIds: readonly string[]): void {
  if (!house.isShared) return;
  const { toldAt } = connectedPeople(house);
  const now = performance.now();
  for (const id of serverIds) {
    toldAt.delete(id);
    toldAt.set(id, now);
  }
  for (const [id, at] of toldAt) {
    if (toldAt.size <= toldRemembered || now - at < lateMs) break;
    toldAt.delete(id);
  }
}

function wasTold(house: House, serverId: string): boolean {
  const at = connectedPeople(house).toldAt.get(serverId);
  return at !== undefined && performance.now() - at < lateMs;
}

/** Yields the likely members of these servers who are connected and visible, per server while `wants` is true. */
export function* shownIn(
  house: House,
  serverIds: readonly string[],
  wants: (serverId: string) => boolean,
): Generator<MemberKey> {
  noteTold(house, serverIds);
  for (const server_id of serverIds) {
    for (const user_id of connectedPeople(house).byServer.get(server_id) ?? []) {
      if (!wants(server_id)) break;
      if (shownPresence(house, user_id) !== "offline") yield { server_id, user_id };
    }
  }
}
