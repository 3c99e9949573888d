// Where a server opens, and which server opens: what was open last, kept by this browser.
import type { Copy } from "../../client/copy.ts";
import type { ServerEntry } from "../../client/ready.ts";
import { firstChannel } from "../../features/channels/view/first-channel.ts";
import { keep, kept } from "../ui/browser/kept.ts";
import { paths } from "../ui/navigation/paths.ts";

/** The channel that was open there last, or the first one. */
export function addressOf(server: ServerEntry): string {
  const last = kept<string>(`last/${server.id}`);
  const channel =
    server.channels.find(({ id, type }) => id === last && type === "text") ?? firstChannel(server.channels);
  return channel ? paths.channel(server.id, channel.id) : paths.channel(server.id, "none");
}

export function serverToOpen(servers: Copy["servers"]): ServerEntry | undefined {
  const last = kept<string>("last-server");
  return servers.find(({ id }) => id === last) ?? servers[0];
}

export function keepPlace(serverId: string, channelId: string): void {
  keep("last-server", serverId);
  keep(`last/${serverId}`, channelId);
  const others = recentChannels().filter((id) => id !== channelId);
  keep("recent", [channelId, ...others].slice(0, mostRecent));
}

/** One is open, and the switcher shows eight others. */
const mostRecent = 9;

/** The channels that were open last, the latest first. */
export function recentChannels(): readonly string[] {
  return kept<string[]>("recent") ?? [];
}
