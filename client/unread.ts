// The definition of unread, shared by the list of channels, the strip of servers, shortcut keys, and outside marks.
import type { OwnChannel } from "../features/channels/state.ts";
import type { Copy } from "./copy.ts";

type Readable = Pick<OwnChannel, "id" | "server_id" | "type" | "last_message_id">;

/** True if a channel has messages that its reader has not read. */
export function isUnread({ readStates }: Pick<Copy, "readStates">, channel: Readable): boolean {
  const read = readStates.get(channel.id)?.last_read_id ?? "";
  return channel.type === "text" && (channel.last_message_id ?? "") > read;
}

/** Returns the number of unread mentions of the reader. */
export function mentionsIn({ readStates }: Pick<Copy, "readStates">): number {
  let sum = 0;
  for (const { mention_count } of readStates.values()) sum += mention_count;
  return sum;
}

/** True if the reader has muted a channel, or its server. */
export function isMuted(
  { notificationSettings }: Pick<Copy, "notificationSettings">,
  channel: Readable,
): boolean {
  const { servers, channels } = notificationSettings;
  return [
    servers.find(({ server_id }) => server_id === channel.server_id),
    channels.find(({ channel_id }) => channel_id === channel.id),
  ].some((each) => each?.muted_until != null && Date.parse(each.muted_until) > Date.now());
}

/** True if an unread channel should be highlighted: muted ones should not. */
export function wantsReading(
  copy: Pick<Copy, "readStates" | "notificationSettings">,
  channel: Readable,
): boolean {
  return isUnread(copy, channel) && !isMuted(copy, channel);
}
