// The definition of unread, shared by the list of channels, the strip of servers, shortcut keys, and outside marks.
import type { OwnChannel } from "../features/channels/state.ts";
import type { Copy } from "./copy.ts";

type Readable = Pick<OwnChannel, "id" | "server_id" | "type" | "last_message_id">;

/** True if a channel has messages that its reader has not read. */
export function isUnread({ readStates }: Pick<Copy, "readStates">, channel: Readable): boolean {
  const { last_read_id, mention_count = 0 } = readStates.get(channel.id) ?? {};
  // In a conversation every message counts, but those of blocked people.
  if (channel.server_id === null) return mention_count > 0;
  return channel.type === "text" && (channel.last_message_id ?? "") > (last_read_id ?? "");
}

/** Returns the number of unread mentions of the reader in servers. */
export function mentionsIn({ readStates, direct }: Pick<Copy, "readStates" | "direct">): number {
  let sum = 0;
  for (const { channel_id, mention_count } of readStates.values())
    if (!direct.has(channel_id)) sum += mention_count;
  return sum;
}

/** Returns the number of unread messages in conversations that are not muted. */
export function unreadIn(copy: Pick<Copy, "readStates" | "direct" | "notificationSettings">): number {
  let sum = 0;
  for (const each of copy.direct.values())
    if (!isMuted(copy, each)) sum += copy.readStates.get(each.id)?.mention_count ?? 0;
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
