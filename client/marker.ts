// Moves the read marker of a channel.
import type { Message } from "../features/messages/contract.ts";
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

/** Makes a message and all after it unread. Throws CallError. */
export async function unreadFrom({ channel_id, id }: Pick<Message, "channel_id" | "id">): Promise<void> {
  await markChannelRead({ params: { channelID: channel_id }, body: { message_id: idBefore(id) } });
}

/** The greatest id that is less than this one; there need not be a message of that id. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
