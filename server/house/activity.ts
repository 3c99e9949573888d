// The people who use the product at this moment: the gateway knows them by its sockets, and features ask the house.
import type { StreamKey } from "../place.ts";

export interface Activity {
  /** Returns the people among these who said something on one of their sockets within the last minute. */
  activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** For how long the person has said nothing on their sockets at this process; undefined: they never did. */
  silentMs(userId: string): number | undefined;
  /** Whether a socket hears the events of this stream. */
  follows(stream: StreamKey): boolean;
}

/** Of a house without sockets. */
export const nobodyActive: Activity = {
  activeAmong: async () => new Set(),
  silentMs: () => undefined,
  follows: () => false,
};
