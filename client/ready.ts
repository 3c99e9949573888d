// The contents of READY: the user's profile, their servers, and the event numbers to continue from.
import type { Me } from "../features/accounts/contract.ts";
import type { Channel } from "../features/channels/contract.ts";
import type { ListedConversation } from "../features/direct/contract.ts";
import type { NotificationSettings } from "../features/notifications/contract.ts";
import type { Presence } from "../features/presence/contract.ts";
import type { ReadState } from "../features/read-states/contract.ts";
import type { Role } from "../features/roles/contract.ts";
import type { Server } from "../features/servers/contract.ts";
import { kind } from "../protocol/event.ts";
import type { VoiceState } from "../protocol/voice.ts";

/** One server in READY; SERVER_CREATE carries the same. */
export interface ServerEntry extends Server {
  channels: readonly Channel[];
  roles: readonly Role[];
  /** The roles that the user holds. */
  role_ids: readonly string[];
  voice: readonly VoiceState[];
  presences: readonly Presence[];
  /** The number of the last event that the entry contains. The position has later ones. */
  seq: number;
}

export interface Ready {
  user: Me;
  session_id: string;
  epoch: string;
  heartbeat_interval_ms: number;
  servers: readonly ServerEntry[];
  /** The person's conversations, if the server has any. */
  direct?: readonly ListedConversation[];
  /** The person's own stream, if the server provides one. */
  personal?: { seq: number };
  /** For every text channel in `servers`, if the server stores read states. */
  read_states?: readonly ReadState[];
  /** Settings that differ from the default, if the server has any. */
  notification_settings?: NotificationSettings;
  /** The ids of the servers in the person's own order, if the server keeps one. */
  server_order?: readonly string[];
}

export const ready = kind<Ready>("READY");
export const resumed = kind<{ replayed: number }>("RESUMED");

/** True if READY has the indispensable parts: a confused server, or something in between, may send anything. */
export function isWhole(data: unknown): data is Ready {
  const { user, servers }: Partial<Ready> = Object(data);
  const isEntry = (entry: ServerEntry | null) =>
    [entry?.channels, entry?.roles, entry?.role_ids].every(Array.isArray);
  return typeof user?.id === "string" && Array.isArray(servers) && servers.every(isEntry);
}
