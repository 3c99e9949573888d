// Deletes rows and files of deleted messages, and sweeps the messages of a deleted channel in pieces.
import type { Sweep } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { channelDeletedAt, forgetChannel } from "../channels/access.ts";
import { endUses } from "../files/access.ts";
import { messagesGone } from "./access.ts";
import { usesOf } from "./attached.ts";
import { type DeletedMessage, deleteFirstMessages } from "./store.ts";

export const messagesOfChannel: Sweep = {
  name: "messages by channel_id",
  async piece(unit, channelId, limit) {
    const deleted = await deleteFirstMessages(unit.db, channelId, limit);
    await letGo(unit, channelId, deleted, await channelDeletedAt(unit, channelId));
    if (deleted.length < limit) await forgetChannel(unit, channelId);
    return deleted.length;
  },
};

/** Releases the files of these messages, and asks the features with rows about them to do the same. */
export async function letGo(
  unit: UnitOfWork,
  channelId: string,
  deleted: readonly DeletedMessage[],
  deletedAt = Date.now(),
): Promise<void> {
  if (deleted.length === 0) return;
  await endUses(unit, usesOf(deleted), deletedAt);
  await unit.ask(
    messagesGone,
    channelId,
    deleted.map(({ id }) => id),
  );
}
