// Time that passes without a word: how long ago the people of a house last said something on their sockets.
import { SocketActivity } from "../../../server/gateway/activity.ts";
import type { TestHouse } from "../open/engines.ts";

/** From now on whatever was said before is so many milliseconds older, and grows no older by itself. */
export function letPassInSilence({ running }: TestHouse, ms: number): void {
  const { activity } = running.house;
  if (!(activity instanceof SocketActivity)) throw new Error("the house has no sockets");
  const now = activity.now() + ms;
  activity.now = () => now;
}
