// What a person wants to be told, from their settings: of a server, of a channel, and whether either is muted.
import { nextMorning } from "../../presence/view/next-morning.ts";
import type { Level, NotificationSettings } from "../contract.ts";

/** Muted until it is unmuted. */
export const untilUnmuted = "9999-12-31T23:59:59.999Z";

export interface Wanted {
  /** Of a channel, null: that of its server. */
  level: Level | null;
  mutedUntil: string | null;
}

export function ofServer({ servers }: NotificationSettings, serverId: string): Wanted & { level: Level } {
  const set = servers.find(({ server_id }) => server_id === serverId);
  return { level: set?.level ?? "mentions", mutedUntil: set?.muted_until ?? null };
}

export function ofChannel({ channels }: NotificationSettings, channelId: string): Wanted {
  const set = channels.find(({ channel_id }) => channel_id === channelId);
  return { level: set?.level ?? null, mutedUntil: set?.muted_until ?? null };
}

export function isMuted({ mutedUntil }: Wanted, now: number): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > now;
}

/** What is told of a channel in the end. */
export function levelIn(
  settings: NotificationSettings,
  { serverId, channelId }: { serverId: string; channelId: string },
  now: number,
): Level {
  const [server, channel] = [ofServer(settings, serverId), ofChannel(settings, channelId)];
  if (isMuted(server, now) || isMuted(channel, now)) return "none";
  return channel.level ?? server.level;
}

export const mutings = ["hour", "workday", "tomorrow", "always"] as const;
export type Muting = (typeof mutings)[number];

const hourMs = 60 * 60_000;

/** When a muting ends; tomorrow is the next morning, when one looks again. */
export function endOf(muting: Muting, now: Date): string {
  if (muting === "always") return untilUnmuted;
  if (muting === "hour") return new Date(now.getTime() + hourMs).toISOString();
  if (muting === "workday") return new Date(now.getTime() + 8 * hourMs).toISOString();
  return nextMorning(now).toISOString();
}
