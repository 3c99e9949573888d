// Sweeps the messages of a deleted channel in pieces, and at last the channel.
import type { Sweep } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { forgetChannel } from "../channels/access.ts";
import { messagesGone } from "./access.ts";
import { deleteFirstMessages } from "./store.ts";

export const messagesOfChannel: Sweep = {
  name: "messages by channel_id",
  async piece(unit, channelId, limit) {
    const ids = await deleteFirstMessages(unit.db, channelId, limit);
    await askMessagesGone(unit, channelId, ids);
    if (ids.length < limit) await forgetChannel(unit, channelId);
    return ids.length;
  },
};

/** Asks the features whose rows hang on these messages to let go of them. */
export async function askMessagesGone(
  unit: UnitOfWork,
  channelId: string,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length > 0) await unit.ask(messagesGone, channelId, messageIds);
}
