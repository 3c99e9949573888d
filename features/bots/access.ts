// Bots for other features: lookups with access checks, public views, and the event of leaving a server.

import { notFound } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverPlace } from "../../server/place.ts";
import { usersById } from "../accounts/access.ts";
import type { User } from "../accounts/contract.ts";
import { type Bot, botLeft, type SharedBot } from "./contract.ts";
import { type BotsTable, selectBot, selectBotForUpdate } from "./store.ts";

export { suspendToken } from "./identity.ts";
export { selectBot, selectBotsOf } from "./store.ts";

/** Returns the bot's row, locked until the unit commits, without an access check. */
export function lockBot(unit: UnitOfWork, id: string): Promise<BotsTable | undefined> {
  return unit.locksRows ? selectBotForUpdate(unit.db, id) : selectBot(unit.db, id);
}

/** Returns the bot, for its owner and for itself; 404 for everybody else. */
export async function findBot(unit: UnitOfWork, userId: string, id: string): Promise<BotsTable> {
  const row = await lockBot(unit, id);
  if (!row || (row.owner_id !== userId && row.id !== userId)) throw notFound();
  return row;
}

/** Emits BOT_LEAVE after the bot's membership has ended. */
export async function emitLeft(unit: UnitOfWork, serverId: string, row: BotsTable): Promise<void> {
  const bot = toSharedBot(row, await profileOf(unit, row.id));
  unit.emit(botLeft, serverPlace(serverId), { user_id: row.id, bot });
}

export async function profileOf(unit: UnitOfWork, id: string): Promise<User> {
  const profile = (await usersById(unit, [id])).get(id);
  if (!profile) throw new Error("a bot has no account");
  return profile;
}

export function toSharedBot(row: BotsTable, profile: User): SharedBot {
  return {
    id: row.id,
    owner_id: row.owner_id,
    name: profile.display_name,
    description: row.description,
    avatar: profile.avatar,
    created_at: profile.created_at,
  };
}

export async function toBots(unit: UnitOfWork, rows: readonly BotsTable[]): Promise<Bot[]> {
  const profiles = await usersById(
    unit,
    rows.map((row) => row.id),
  );
  const answer: Bot[] = [];
  for (const row of rows) {
    const profile = profiles.get(row.id);
    const server_ids = await unit.house.rights.serversOf(unit, row.id);
    if (profile) answer.push({ ...toSharedBot(row, profile), server_ids });
  }
  return answer;
}
