// What is unread, of all servers, as the sidebar has it.
import type { Copy } from "../../client/copy.ts";
import type { Channel } from "../../features/channels/contract.ts";

export function isUnread(copy: Pick<Copy, "readStates">, channel: Channel): boolean {
  const read = copy.readStates.get(channel.id)?.last_read_id ?? "";
  return channel.type === "text" && (channel.last_message_id ?? "") > read;
}
