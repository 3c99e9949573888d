// People's current activity: the gateway knows it from its sockets, and features ask the house.
import type { StreamKey } from "../place.ts";

export interface Activity {
  /** Returns those of these people who sent a frame other than PING on one of their sockets within the last minute. */
  activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Milliseconds since the person's last frame on their sockets here; undefined without one that is not idle. */
  silentMs(userId: string): number | undefined;
  /** True if this process follows the stream. */
  follows(stream: StreamKey): boolean;
}

/** For a house without sockets. */
export const nobodyActive: Activity = {
  activeAmong: async () => new Set(),
  silentMs: () => undefined,
  follows: () => false,
};
