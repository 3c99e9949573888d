// Lets a house's people become inactive: moves the time of the last frame on their sockets into the past.
import { SocketActivity } from "../../../server/gateway/activity.ts";
import type { TestHouse } from "../open/engines.ts";

/** Ages every frame so far by this many milliseconds, and stops the clock of the activity. */
export function letPassInSilence({ running }: TestHouse, ms: number): void {
  const { activity } = running.house;
  if (!(activity instanceof SocketActivity)) throw new Error("the house has no sockets");
  const now = activity.now() + ms;
  activity.now = () => now;
}
