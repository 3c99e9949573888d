// Builds the paths of the page from their parameters.
import type { Message } from "../../../features/messages/contract.ts";
import { pagePath } from "../../../protocol/page-paths.ts";

export const paths = {
  /** `serverId`: null for the direct conversations. */
  server: (serverId: string | null) => (serverId === null ? "/direct" : `/servers/${serverId}`),
  channel: ({ server_id, id }: { server_id: string | null; id: string }) =>
    `${paths.server(server_id)}${server_id === null ? "" : "/channels"}/${id}`,
  message: ({ server_id, channel_id, id }: Pick<Message, "server_id" | "channel_id" | "id">) =>
    `${paths.channel({ server_id, id: channel_id })}/messages/${id}`,
  channelSettings: (channel: { server_id: string | null; id: string }, page: string) =>
    `${paths.channel(channel)}/settings/${page}`,
  settings: (page: string) => `${pagePath.settings}/${page}`,
  /** A wide frame shows the first page there, a phone the list of pages. */
  allServerSettings: (serverId: string) => `/servers/${serverId}/settings`,
  serverSettings: (serverId: string, page: string) =>
    `${pagePath.serverSettings.replace("{serverID}", serverId)}/${page}`,
  admin: (page: string) => `${pagePath.console}/${page}`,
  invite: (code: string) => pagePath.invite.replace("{code}", code),
};
