// What READY says: the user's profile, the servers that they are in, and the numbers from which to go on.
import type { Me } from "../features/accounts/contract.ts";
import type { Channel } from "../features/channels/contract.ts";
import type { NotificationSettings } from "../features/notifications/contract.ts";
import type { Presence } from "../features/presence/contract.ts";
import type { ReadState } from "../features/read-states/contract.ts";
import type { Role } from "../features/roles/contract.ts";
import type { Server } from "../features/servers/contract.ts";
import type { VoiceState } from "../features/voice/contract.ts";
import { kind } from "../protocol/event.ts";

/** One server in READY; SERVER_CREATE brings the same. */
export interface ServerEntry extends Server {
  channels: readonly Channel[];
  roles: readonly Role[];
  /** The roles that the reader holds. */
  role_ids: readonly string[];
  voice: readonly VoiceState[];
  presences: readonly Presence[];
  /** The number of the last event that the entry contains. Later ones are in the position. */
  seq: number;
}

export interface Ready {
  user: Me;
  session_id: string;
  epoch: string;
  heartbeat_interval_ms: number;
  servers: readonly ServerEntry[];
  /** The person's own stream, where the server has one for each. */
  personal?: { seq: number };
  /** Of every text channel in `servers`, where the server keeps what is read. */
  read_states?: readonly ReadState[];
  /** What is not as by default, where the server has such settings. */
  notification_settings?: NotificationSettings;
}

export const ready = kind<Ready>("READY");
export const resumed = kind<{ replayed: number }>("RESUMED");

/** Whether READY has what nothing goes on without: a server that is confused, or something between, may say anything. */
export function isWhole(data: unknown): data is Ready {
  const { user, servers }: Partial<Ready> = Object(data);
  const isEntry = (entry: ServerEntry | null) =>
    [entry?.channels, entry?.roles, entry?.role_ids].every(Array.isArray);
  return typeof user?.id === "string" && Array.isArray(servers) && servers.every(isEntry);
}
