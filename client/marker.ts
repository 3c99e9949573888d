// Moves the read marker of a channel.
import { markChannelRead } from "../features/read-states/calls.ts";

/** Marks a channel as read up to a message. Callers need not wait for the result: the next call covers it. */
export async function readUpTo(channelId: string, messageId: string): Promise<boolean> {
  try {
    await markChannelRead({ params: { channelID: channelId }, body: { message_id: messageId } });
    return true;
  } catch {
    return false;
  }
}
