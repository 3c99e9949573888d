// Notification settings, as their owner sees them and as the senders of notifications query them.
import { timeText } from "../../protocol/clock.ts";
import type { Db } from "../../server/database/database.ts";
import { standingsOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectAudiences, sightOfEach } from "../channels/access.ts";
import { selectSeats } from "../direct/seats.ts";
import type { Level, NotificationSettings } from "./contract.ts";
import { nothingSet } from "./state.ts";
import { type SettingsTable, selectPushWhen, selectSettings, selectSettingsOf } from "./store.ts";

export { selectLevelAll } from "./store.ts";

type Setting = Pick<SettingsTable, "level" | "muted_until">;

/** The level where nothing is set: conversations are meant for the people in them. */
function defaultLevel(serverId: string | null): Level {
  return serverId === null ? "all" : "mentions";
}

/** Returns the end of a mute; null if there is none, or it is over. */
export function mutedUntil({ muted_until }: Setting, now: number): number | null {
  return muted_until !== null && muted_until > now ? muted_until : null;
}

/** True if a setting equals the default, like the row of a mute that is over. */
export function isDefault(setting: Setting, now: number): boolean {
  return setting.level === null && mutedUntil(setting, now) === null;
}

/** Returns a person's settings for the servers and channels that they can see now. */
export async function settingsOf(unit: UnitOfWork, userId: string): Promise<NotificationSettings> {
  const now = Date.now();
  const rows = (await selectSettings(unit.db, userId)).filter((row) => !isDefault(row, now));
  if (rows.length === 0) return nothingSet;
  const serverIds = new Set(rows.flatMap(({ server_id }) => server_id ?? []));
  const standings = await standingsOf(unit, [...serverIds], userId);
  const ofChannels = rows.filter((row) => row.target_id !== row.server_id).map((row) => row.target_id);
  const audiences = await selectAudiences(unit.db, ofChannels);
  const withChannels = new Set(rows.flatMap((row) => (audiences.has(row.target_id) ? row.server_id : [])));
  const members = [...standings].filter(([id]) => withChannels.has(id));
  const sights = await sightOfEach(
    unit,
    members.map(([, standing]) => standing),
  );
  const seen = new Map(members.map(([id], i) => [id, sights[i]]));
  const conversations = await conversationsAmong(unit, userId, rows);
  const shown: NotificationSettings = { servers: [], channels: [] };
  for (const row of rows) {
    const { target_id, server_id, level } = row;
    if (server_id === null ? !conversations.has(target_id) : !standings.has(server_id)) continue;
    const until = mutedUntil(row, now);
    const muted_until = until === null ? null : timeText(until);
    const audience = audiences.get(target_id);
    if (target_id === server_id) {
      shown.servers.push({ server_id, level: level ?? defaultLevel(server_id), muted_until });
    } else if (server_id === null || (audience !== undefined && seen.get(server_id)?.has(audience))) {
      shown.channels.push({ channel_id: target_id, level, muted_until });
    }
  }
  return shown;
}

/** Returns the conversations among the targets of these settings that the person is in. */
async function conversationsAmong(
  { db }: UnitOfWork,
  userId: string,
  rows: readonly SettingsTable[],
): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ server_id, target_id }) => (server_id === null ? target_id : []));
  const seats = await selectSeats(
    db,
    ids.map((channel_id) => ({ user_id: userId, channel_id })),
  );
  return new Set(seats.map(({ channel_id }) => channel_id));
}

/** A channel, and its server if it has one. */
export interface Told {
  server_id: string | null;
  channel_id: string;
}

/** Returns the current level of the channel by person; "none" for those who have muted it. */
export async function levelsIn(
  db: Db,
  { server_id, channel_id }: Told,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Level>> {
  if (userIds.length === 0) return new Map();
  const now = Date.now();
  const rows = await selectSettingsOf(db, [server_id ?? [], channel_id].flat(), userIds);
  const settings = Map.groupBy(rows, (row) => row.user_id);
  return new Map(
    userIds.map((userId) => {
      const mine = settings.get(userId) ?? [];
      if (mine.some((row) => mutedUntil(row, now) !== null)) return [userId, "none"];
      const levelOf = (id: string | null) => mine.find((row) => row.target_id === id)?.level;
      return [userId, levelOf(channel_id) ?? levelOf(server_id) ?? defaultLevel(server_id)];
    }),
  );
}

/** Returns those of these people who want pushes even while they are active. */
export async function alwaysPushed(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await selectPushWhen(db, userIds)).keys());
}
