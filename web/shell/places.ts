// The channel in which a server opens, and the server that opens: the last ones, as stored by this browser.
import type { Copy } from "../../client/copy.ts";
import type { OwnServer } from "../../client/servers.ts";
import { firstChannel } from "../../features/channels/view/first-channel.ts";
import { noteOpen } from "../../features/direct/view/last-open.ts";
import { keep, kept } from "../ui/browser/kept.ts";
import { paths } from "../ui/navigation/paths.ts";

/** Returns the path of the channel that was last open in a server, or of its first one. */
export function addressOf(server: OwnServer): string {
  const last = kept<string>(`last/${server.id}`);
  const lastOpen = server.channels.get(last ?? "");
  const channel = lastOpen?.type === "text" ? lastOpen : firstChannel(server.channels);
  return channel ? paths.channel(channel) : paths.channel({ server_id: server.id, id: "none" });
}

export function serverToOpen(servers: Copy["servers"]): OwnServer | undefined {
  const last = kept<string>("last-server");
  return servers.find(({ id }) => id === last) ?? servers[0];
}

/** `serverId`: null for a conversation. */
export function keepPlace(serverId: string | null, channelId: string): void {
  if (serverId === null) noteOpen(channelId);
  else {
    keep("last-server", serverId);
    keep(`last/${serverId}`, channelId);
  }
  const others = recentChannels().filter((id) => id !== channelId);
  keep("recent", [channelId, ...others].slice(0, mostRecent));
}

/** The open channel, and the eight others that the switcher shows. */
const mostRecent = 9;

/** Returns the ids of the last open channels, the latest first. */
export function recentChannels(): readonly string[] {
  return kept<string[]>("recent") ?? [];
}
