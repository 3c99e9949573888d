// Channels that were deleted or changed their audience a moment ago. Rights are looked up as they are now, which may be
// later than the event that a listener is told of: a channel may then be gone from the class that the listener loses.
import type { Audience } from "../../protocol/event.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { ServerChannel } from "./store.ts";

/** A channel that left a class, and the class that it has now; null once it is deleted. */
interface LeftOfLate {
  id: string;
  audience: Audience;
  now: Audience | null;
}

/** By server and id. */
const leftOfLate = shortLived<LeftOfLate>({ name: "deleted channels", keptMs: 60_000, most: 10_000 });

/** Notes that a channel is about to be deleted: its row may be swept before everybody has received the deletion. */
export function noteDeletion(
  { house }: UnitOfWork,
  { server_id, id, audience }: ServerChannel,
): Promise<void> {
  return leftOfLate(house).put(`${server_id} ${id}`, { id, audience, now: null });
}

/** Notes that a channel is about to change its audience. */
export function noteMove(
  { house }: UnitOfWork,
  { server_id, id, audience }: ServerChannel,
  now: Audience,
): Promise<void> {
  return leftOfLate(house).put(`${server_id} ${id} moved`, { id, audience, now });
}

/** Returns the channels that left one of these audiences of late, without those whose new one is held. */
export async function selectLeft(
  { house }: UnitOfWork,
  serverId: string,
  lost: ReadonlySet<Audience>,
  held: ReadonlySet<Audience>,
): Promise<string[]> {
  const left = await leftOfLate(house).values(`${serverId} `);
  return left.flatMap(({ id, audience, now }) => (lost.has(audience) && !(now && held.has(now)) ? [id] : []));
}
