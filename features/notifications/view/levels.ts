// Effective notification levels and mutes of servers and channels.
import { nextMorning } from "../../presence/view/next-morning.ts";
import type { Level, NotificationSettings } from "../contract.ts";

export const levels = ["all", "mentions", "none"] as const satisfies readonly Level[];

/** The end of a mute without a time limit. */
export const untilUnmuted = "9999-12-31T23:59:59.999Z";

export interface Wanted {
  /** Null for a channel that uses the level of its server. */
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

/** In a conversation everything is told, unless the reader chose otherwise. */
const ofConversations: ReturnType<typeof ofServer> = { level: "all", mutedUntil: null };

interface ChannelIds {
  /** Null for a conversation. */
  serverId: string | null;
  channelId: string;
}

/** Returns the effective level of a channel or conversation. */
export function levelIn(settings: NotificationSettings, ids: ChannelIds, now: number): Level {
  const { channel, server } = bothOf(settings, ids);
  return isMuted(server, now) || isMuted(channel, now) ? "none" : levelOf(settings, ids);
}

/** Returns the level of a channel or conversation while it is not muted. */
export function levelOf(settings: NotificationSettings, ids: ChannelIds): Level {
  const { channel, server } = bothOf(settings, ids);
  return channel.level ?? server.level;
}

function bothOf(settings: NotificationSettings, { serverId, channelId }: ChannelIds) {
  return {
    channel: ofChannel(settings, channelId),
    server: serverId === null ? ofConversations : ofServer(settings, serverId),
  };
}

/** How long the dialog mutes. */
export const mutings = ["hour", "workday", "tomorrow", "always"] as const;
/** How long the menus mute. */
export const menuMutings = ["quarter", "hour", "workday", "day", "always"] as const;
export type Muting = (typeof mutings | typeof menuMutings)[number];

const hourMs = 60 * 60_000;
const lastsMs = { quarter: hourMs / 4, hour: hourMs, workday: 8 * hourMs, day: 24 * hourMs };

/** Returns the end of a mute; "tomorrow" ends in the morning, when people look again. */
export function endOf(muting: Muting, now: Date): string {
  if (muting === "always") return untilUnmuted;
  if (muting === "tomorrow") return nextMorning(now).toISOString();
  return new Date(now.getTime() + lastsMs[muting]).toISOString();
}
