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
  /** By server, the oldest first: when somebody here was told who is connected, by performance.now(). */
  toldAt: Map<string, number>;
}

const connectedPeople = perHouse<ConnectedPeople>("cache", () => ({
  byServer: new Map(),
  left: new Map(),
  toldAt: new Map(),
}));

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
      for (const userId of item.touches) {
        if (!house.connections.has(userId)) continue;
        if (item.ends === userId) noteLeft(house, serverId, userId);
        else noteConnected(house, userId, [serverId]);
      }
  }
}

/**
 * Another process has committed that this person came into a server; its event may be older than what is followed here.
 * Returns whether somebody here was told a moment ago who is connected there, without them.
 */
export function noteCame(house: House, { server_id, user_id }: MemberKey): boolean {
  if (!house.connections.has(user_id)) return false;
  const isKnown = connectedPeople(house).byServer.get(server_id)?.has(user_id) ?? false;
  noteConnected(house, user_id, [server_id]);
  return wasTold(house, server_id) && (!isKnown || !isConnected(house, user_id));
}

function noteLeft(house: House, serverId: string, userId: string): void {
  const { left } = connectedPeople(house);
  left.set(userId, (left.get(userId) ?? new Set()).add(serverId));
}

/** What another process committed is heard within this time, in milliseconds. */
const lateMs = 10_000;
/** Servers after which those are forgotten that were told of longer ago. */
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

/** The likely members of these servers who are connected and visible; of each server as long as `wants` says so. */
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
