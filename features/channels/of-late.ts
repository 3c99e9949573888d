// Channels that were deleted a moment ago. Rights are looked up as they are now, which may be later than the event that a
// listener is told of: a channel may then be gone from the class that the listener loses.
import type { Audience } from "../../protocol/event.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { ServerChannel } from "./store.ts";

/** A deleted channel, and the class that it was in. */
interface DeletedOfLate {
  id: string;
  audience: Audience;
}

/** By server and id. */
const deletedOfLate = shortLived<DeletedOfLate>({ name: "deleted channels", keptMs: 60_000, most: 10_000 });

/** Notes that a channel is about to be deleted: its row may be swept before everybody has received the deletion. */
export function noteDeletion(
  { house }: UnitOfWork,
  { server_id, id, audience }: ServerChannel,
): Promise<void> {
  return deletedOfLate(house).put(`${server_id} ${id}`, { id, audience });
}

/** Returns the channels of these audiences that were deleted of late. */
export async function selectDeleted(
  { house }: UnitOfWork,
  serverId: string,
  audiences: ReadonlySet<Audience>,
): Promise<string[]> {
  const deleted = await deletedOfLate(house).values(`${serverId} `);
  return deleted.flatMap(({ id, audience }) => (audiences.has(audience) ? [id] : []));
}
